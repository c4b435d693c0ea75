package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import software.amazon.awssdk.core.SdkSystemSetting;

/** Determines whether this machine is an EC2 instance, without a network call. */
public final class Ec2 {
  private static final Path NITRO = Path.of("/sys/class/dmi/id/sys_vendor");
  private static final Path XEN = Path.of("/sys/hypervisor/uuid");
  private static final String BY_IPV6 = "http://[fd00:ec2::254]";

  private Ec2() {}

  /** Whether it is one, according to the hypervisor, or because the user set a metadata service. */
  static boolean here() {
    return named().isPresent() || starts(NITRO, "amazon") || starts(XEN, "ec2");
  }

  /**
   * The address of the instance's metadata service, according to the settings that the SDK also
   * uses ({@code AWS_EC2_METADATA_DISABLED}, {@code AWS_EC2_METADATA_SERVICE_ENDPOINT}, {@code
   * AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE}). Empty if this machine is not an instance, or the
   * service is disabled.
   *
   * @throws UsageException if the endpoint is not an HTTP address
   */
  public static Optional<URI> metadataService() {
    boolean disabled =
        SdkSystemSetting.AWS_EC2_METADATA_DISABLED
            .getStringValue()
            .map(text -> text.strip().equalsIgnoreCase("true"))
            .orElse(false);
    return disabled || !here() ? Optional.empty() : Optional.of(named().orElseGet(Ec2::usual));
  }

  private static Optional<URI> named() {
    return SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT
        .getNonDefaultStringValue()
        .filter(text -> !text.isBlank())
        .map(Ec2::endpoint);
  }

  private static URI endpoint(String text) {
    try {
      URI endpoint = URI.create(text.strip());
      String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https")) && endpoint.getHost() != null) {
        return endpoint;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, like an address of another kind.
    }
    throw new UsageException(
        "AWS_EC2_METADATA_SERVICE_ENDPOINT '%s': expected an address such as http://169.254.169.254"
            .formatted(text));
  }

  private static URI usual() {
    boolean ipv6 =
        SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE
            .getNonDefaultStringValue()
            .map(mode -> mode.strip().equalsIgnoreCase("IPv6"))
            .orElse(false);
    return URI.create(
        ipv6 ? BY_IPV6 : SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT.defaultValue());
  }

  private static boolean starts(Path file, String prefix) {
    try {
      return Files.isReadable(file)
          && Files.readString(file).toLowerCase(Locale.ROOT).startsWith(prefix);
    } catch (IOException e) {
      return false;
    }
  }
}
