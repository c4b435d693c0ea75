package io.cloudkon.worker.cli;

import io.cloudkon.core.port.WorkerOrigin;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/** Names for workers. */
public final class WorkerIds {
  private static final int NAME_CHARS = 40;

  private WorkerIds() {}

  /**
   * What its launcher calls it, as provisioner and logs do, or the machine's name; and what tells
   * it from others of that name, those that died included.
   */
  public static String fresh(WorkerOrigin origin, RandomGenerator random) {
    String launched = origin.instance();
    String name =
        launched.isEmpty()
            ? host()
            : launched.substring(Math.max(0, launched.length() - NAME_CHARS));
    return "%s-%06x".formatted(name, random.nextInt(1 << 24));
  }

  private static String host() {
    try {
      String host = InetAddress.getLocalHost().getHostName();
      return host.substring(0, Math.min(host.length(), NAME_CHARS));
    } catch (UnknownHostException e) {
      return "worker";
    }
  }
}
