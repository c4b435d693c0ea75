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
   * A new worker id: the launcher's name of the instance, as the provisioner and logs use it, or
   * the machine's name, with a random suffix that distinguishes it from other workers of that name,
   * including dead ones.
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
