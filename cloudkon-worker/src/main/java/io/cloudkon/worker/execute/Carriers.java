package io.cloudkon.worker.execute;

import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The carriers of virtual threads. A handler that computes occupies its carrier until it ends; with
 * no more carriers than slots, handlers would block everything else: time limits, kills, other
 * slots, replies, the renewal of leases.
 */
public final class Carriers {
  static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  /** The property with the number that the launcher has set; a user's own setting is kept. */
  static final String OF_LAUNCHER = "cloudkon.carriers";

  private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);

  /** The number of carriers that abandoned handlers may occupy; guarded by the class. */
  private static int lost;

  private Carriers() {}

  /**
   * Raises the number of carriers to one per core plus one per slot, unless the user has set it.
   * Takes effect only before the JVM's first virtual thread, so it must be called before anything
   * that may start one.
   */
  public static void provide(int slots) {
    String set = System.getProperty(PARALLELISM);
    if (!isUsers(set)) {
      int least = set == null ? 1 : Integer.parseInt(set);
      int wanted = Runtime.getRuntime().availableProcessors() + slots;
      System.setProperty(PARALLELISM, Integer.toString(Math.max(least, wanted)));
    }
  }

  /**
   * The same in a JVM that may have started virtual threads long ago: never lowers the number.
   *
   * @param slots the number of all slots in this JVM
   */
  public static synchronized void raise(int slots) {
    if (isUsers(System.getProperty(PARALLELISM))) {
      return;
    }
    try {
      VirtualThreadSchedulerMXBean scheduler =
          ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
      int wanted = Runtime.getRuntime().availableProcessors() + slots + lost;
      if (wanted > scheduler.getParallelism()) {
        scheduler.setParallelism(wanted);
      }
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      LOG.warn("handlers that compute may delay everything else: {}", e.getMessage());
    }
  }

  /**
   * Replaces the carrier of a handler that was abandoned, which may occupy it for ever: otherwise
   * as many such handlers as carriers would stop all else in this JVM.
   */
  static synchronized void replaceLost() {
    try {
      VirtualThreadSchedulerMXBean scheduler =
          ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
      scheduler.setParallelism(scheduler.getParallelism() + 1);
      lost++;
    } catch (RuntimeException | Error e) {
      LOG.warn("a handler that did not stop may delay everything else: {}", e.toString());
    }
  }

  private static boolean isUsers(@Nullable String set) {
    return set != null && !set.equals(System.getProperty(OF_LAUNCHER));
  }
}
