package io.cloudkon.worker.execute;

/** Tests whether there is memory for a task. */
public final class MemoryProbe {
  private static final int BYTES = 1 << 20;

  private MemoryProbe() {}

  /**
   * Allocates some memory and a thread, and frees both.
   *
   * @throws OutOfMemoryError if there is none
   */
  public static void attempt() throws InterruptedException {
    byte[] some = new byte[BYTES];
    Thread thread = Thread.ofPlatform().name("cloudkon-probe").start(() -> some[0] = 1);
    thread.join();
  }
}
