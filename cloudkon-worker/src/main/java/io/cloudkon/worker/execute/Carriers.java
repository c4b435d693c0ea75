package io.cloudkon.worker.execute;

/**
 * The carriers of virtual threads. A handler that computes occupies its carrier until it ends; with
 * the JDK's default of one carrier per core, a few of them would block everything else: time
 * limits, kills, other slots, replies.
 */
public final class Carriers {
  static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private Carriers() {}

  /**
   * Sets the number of carriers to one per core plus one per slot, unless the property is set.
   * Takes effect only before the JVM's first virtual thread: call it first in {@code main}.
   */
  public static void provide(int slots) {
    if (System.getProperty(PARALLELISM) == null) {
      int cores = Runtime.getRuntime().availableProcessors();
      System.setProperty(PARALLELISM, Integer.toString(cores + slots));
    }
  }
}
