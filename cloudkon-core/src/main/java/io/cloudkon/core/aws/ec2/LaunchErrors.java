package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Failure.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * EC2's error codes, by the reaction to them. Credentials that EC2 does not accept count as
 * throttling, because they are eventually renewed or corrected, and then the same call is made. An
 * unknown code counts as a quota: a person should look at it, and the provisioner need not end.
 */
public final class LaunchErrors {
  private static final Map<Kind, List<String>> CODES =
      Map.of(
          Kind.CAPACITY,
          List.of(
              "InsufficientAddressCapacity",
              "InsufficientCapacity",
              "InsufficientCapacityOnHost",
              "InsufficientFreeAddressesInSubnet",
              "InsufficientHostCapacity",
              "InsufficientInstanceCapacity",
              "InsufficientReservedInstanceCapacity",
              "InsufficientVolumeCapacity",
              "SpotMaxPriceTooLow",
              "UnfulfillableCapacity",
              "Unsupported",
              "VolumeTypeNotAvailableInZone"),
          Kind.QUOTA,
          List.of(
              "InstanceLimitExceeded",
              "MaxIOPSLimitExceeded",
              "MaxSpotFleetRequestCountExceeded",
              "MaxSpotInstanceCountExceeded",
              "NetworkInterfaceLimitExceeded",
              "PendingVerification",
              "VcpuLimitExceeded",
              "VolumeLimitExceeded"),
          Kind.THROTTLE,
          List.of(
              "AuthFailure",
              "ConcurrentTagAccess",
              "EC2ThrottledException",
              "ExpiredToken",
              "ExpiredTokenException",
              "InternalError",
              "InternalFailure",
              "InvalidClientTokenId",
              "InvalidToken",
              "RequestExpired",
              "RequestLimitExceeded",
              "RequestThrottled",
              "RequestThrottledException",
              "ServerInternal",
              "ServiceUnavailable",
              "SignatureDoesNotMatch",
              "Throttling",
              "ThrottlingException",
              "Unavailable"),
          Kind.CONFIGURATION,
          List.of(
              "AuthFailure.ServiceLinkedRoleCreationNotPermitted",
              "Blocked",
              "IdempotentInstanceTerminated",
              "IdempotentParameterMismatch",
              "InvalidAMIID.Malformed",
              "InvalidAMIID.NotFound",
              "InvalidAMIID.Unavailable",
              "InvalidBlockDeviceMapping",
              "InvalidFleetConfig",
              "InvalidFleetConfiguration",
              "InvalidGroup.NotFound",
              "InvalidIamInstanceProfile.NotFound",
              "InvalidInstanceType",
              "InvalidKeyPair.NotFound",
              "InvalidLaunchTemplateId.Malformed",
              "InvalidLaunchTemplateId.NotFound",
              "InvalidLaunchTemplateId.VersionNotFound",
              "InvalidLaunchTemplateName.MalformedException",
              "InvalidLaunchTemplateName.NotFoundException",
              "InvalidParameter",
              "InvalidParameterCombination",
              "InvalidParameterValue",
              "InvalidSecurityGroupID.NotFound",
              "InvalidSnapshot.NotFound",
              "InvalidSubnet",
              "InvalidSubnetID.Malformed",
              "InvalidSubnetID.NotFound",
              "InvalidUserData.Malformed",
              "MissingParameter",
              "OptInRequired",
              "UnauthorizedOperation",
              "UnknownParameter",
              "UnsupportedOperation"));

  private static final Map<String, Kind> KINDS = kinds();

  /** An encoded message of up to a thousand characters at the end of a refusal. */
  private static final Pattern ENCODED =
      Pattern.compile("\\s*Encoded authorization failure message:.*", Pattern.DOTALL);

  private LaunchErrors() {}

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new HashMap<>();
    CODES.forEach((kind, codes) -> codes.forEach(code -> kinds.put(code, kind)));
    return Map.copyOf(kinds);
  }

  /** The codes of a kind that are known by name. */
  public static List<String> codes(Kind kind) {
    return CODES.getOrDefault(kind, List.of());
  }

  /** The kind of a code; an unknown one is a quota, unless its name indicates another kind. */
  public static Kind kind(String code) {
    Kind known = KINDS.get(code);
    if (known != null) {
      return known;
    }
    if (code.startsWith("Insufficient")) {
      return Kind.CAPACITY;
    }
    return code.contains("Throttl") ? Kind.THROTTLE : Kind.QUOTA;
  }

  /** A failure with its code and EC2's message, in one line. */
  static Failure failure(String code, String message) {
    return new Failure(kind(code, message), code, line(message));
  }

  /** An image that is not shared with the account has the code of bad credentials. */
  private static Kind kind(String code, String message) {
    return code.equals("AuthFailure") && message.contains("Not authorized for images")
        ? Kind.CONFIGURATION
        : kind(code);
  }

  /** EC2's message in one readable line. */
  static String line(String message) {
    return ENCODED.matcher(message).replaceFirst("").strip().replaceAll("\\s+", " ");
  }
}
