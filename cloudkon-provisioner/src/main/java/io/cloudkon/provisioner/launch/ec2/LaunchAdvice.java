package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.LaunchErrors;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Advice for the user about a launch that EC2 refused. */
final class LaunchAdvice {
  private static final Pattern ACTION =
      Pattern.compile("not authorized to perform: (\\S+)(?: on resource: (\\S+))?");

  private LaunchAdvice() {}

  /** The same failure, with advice appended to EC2's message. */
  static Failure with(Failure failure) {
    String advice = of(failure);
    return advice.isEmpty()
        ? failure
        : new Failure(
            failure.kind(),
            failure.code(),
            failure.message().replaceFirst("[.\\s]+$", "") + "; " + advice);
  }

  private static String of(Failure failure) {
    String code = failure.code();
    if (code.equals("AuthFailure.ServiceLinkedRoleCreationNotPermitted")) {
      return "the account has no role for Spot yet, and these credentials may not create it: run"
          + " 'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com' once, or"
          + " use --purchase on-demand";
    }
    if (code.equals("UnauthorizedOperation")) {
      return permission(failure.message());
    }
    if (code.startsWith("InvalidLaunchTemplate")) {
      return "check --launch-template";
    }
    if (code.startsWith("InvalidFleetConfig")) {
      return "check --subnets, of which there may be one per zone, and --instance-types";
    }
    if (code.startsWith("InvalidSubnet")) {
      return "check --subnets";
    }
    if (code.equals("InvalidInstanceType") || failure.message().contains("InstanceType")) {
      return "check --instance-types";
    }
    if (failure.kind() == Failure.Kind.QUOTA
        && (code.endsWith("LimitExceeded") || LaunchErrors.codes(failure.kind()).contains(code))) {
      return "ask for a higher quota at Service Quotas, or lower --max";
    }
    boolean template =
        code.startsWith("InvalidAMIID")
            || (code.equals("AuthFailure") && failure.kind() == Failure.Kind.CONFIGURATION)
            || code.contains("Group")
            || code.contains("KeyPair")
            || code.contains("IamInstanceProfile")
            || code.contains("BlockDevice")
            || code.contains("UserData");
    return template ? "correct the launch template, in a new version" : "";
  }

  private static String permission(String message) {
    Matcher denied = ACTION.matcher(message);
    if (!denied.find()) {
      return "allow ec2:CreateFleet, ec2:RunInstances (for Spot also on spot-instances-request/*),"
          + " ec2:CreateTags and iam:PassRole of the template's role in the policy of these"
          + " credentials";
    }
    return denied.group(2) == null
        ? "allow %s in the policy of these credentials".formatted(denied.group(1))
        : "allow %s on %s in the policy of these credentials"
            .formatted(denied.group(1), denied.group(2));
  }
}
