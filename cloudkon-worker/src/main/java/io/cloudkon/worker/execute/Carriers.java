package io.cloudkon.worker.execute;

/**
 * The threads that carry virtual ones. A handler that computes keeps its carrier until it ends;
 * with the JDK's one carrier per core, a few of them would stop everything else: time limits,
 * kills, other slots, replies.
 */
public final class Carriers {
  static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private Carriers() {}

  /**
   * Makes one for each slot besides one per core, unless the property is set. Only of use before
   * the JVM's first virtual thread: the first thing in {@code main}.
   */
  public static void provide(int slots) {
    if (System.getProperty(PARALLELISM) == null) {
      int cores = Runtime.getRuntime().availableProcessors();
      System.setProperty(PARALLELISM, Integer.toString(cores + slots));
    }
  }
}
