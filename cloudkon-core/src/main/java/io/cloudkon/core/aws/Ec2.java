package io.cloudkon.core.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import software.amazon.awssdk.core.SdkSystemSetting;

/** Whether this machine is an EC2 instance, without asking the network. */
final class Ec2 {
  private static final Path NITRO = Path.of("/sys/class/dmi/id/sys_vendor");
  private static final Path XEN = Path.of("/sys/hypervisor/uuid");

  private Ec2() {}

  /** By what the hypervisor says, or because the user named a metadata service. */
  static boolean here() {
    return SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT.getNonDefaultStringValue().isPresent()
        || starts(NITRO, "amazon")
        || starts(XEN, "ec2");
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
