package io.cloudkon.provisioner.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Names for provisioners and the machine they run on. */
final class ProvisionerIds {
  private static final int MACHINE_CHARS = 40;

  private ProvisionerIds() {}

  /** Unlike that of any other process, one that had the same number included. */
  static String fresh(RandomGenerator random) {
    return "%s-p%06x".formatted(machine(), random.nextInt(1 << 24));
  }

  /** This machine and process, for people. */
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
