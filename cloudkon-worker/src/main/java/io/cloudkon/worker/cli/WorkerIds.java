package io.cloudkon.worker.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Names for workers. */
public final class WorkerIds {
  private static final int HOST_CHARS = 40;

  private WorkerIds() {}

  /** The machine's name, and what tells its workers apart, those that died included. */
  public static String fresh(RandomGenerator random) {
    return "%s-%06x".formatted(host(), random.nextInt(1 << 24));
  }

  private static String host() {
    try {
      String host = InetAddress.getLocalHost().getHostName();
      return host.substring(0, Math.min(host.length(), HOST_CHARS));
    } catch (UnknownHostException e) {
      return "worker";
    }
  }
}
