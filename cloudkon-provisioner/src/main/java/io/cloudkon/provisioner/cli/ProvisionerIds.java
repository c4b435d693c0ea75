package io.cloudkon.provisioner.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Names for provisioners and the machine they run on. */
final class ProvisionerIds {
  private static final int MACHINE_CHARS = 40;

  private ProvisionerIds() {}

  /**
   * A new id, different from that of any other process, including one that had the same process
   * number.
   */
  static String fresh(RandomGenerator random) {
    return "%s-p%06x".formatted(machine(), random.nextInt(1 << 24));
  }

  /** The name of this machine and process, for display. */
  static String host() {
    return "%s, process %d".formatted(machine(), ProcessHandle.current().pid());
  }

  static String machine() {
    try {
      String name = InetAddress.getLocalHost().getHostName();
      return name.substring(0, Math.min(name.length(), MACHINE_CHARS));
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
