package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * Ends the process of a worker that must leave at once and does not end by itself within its clock
 * margin. A handler that ignores its interruption ends only with the process, but an orderly end
 * waits for services, up to a minute if none answers, and other workers start the task one margin
 * after the lease. Thread safe.
 */
final class LeaveWatchdog implements AutoCloseable {
  private final Thread thread;

  /** A way to wait. */
  interface Wait {
    void await() throws InterruptedException;
  }

  private LeaveWatchdog(Thread thread) {
    this.thread = thread;
  }

  /**
   * Starts to watch a worker.
   *
   * @param leave waits until the worker must leave at once
   * @param margin how long it may take to end by itself
   * @param halt ends the process at once, with an exit code
   */
  static LeaveWatchdog start(Wait leave, Duration margin, IntConsumer halt) {
    return new LeaveWatchdog(
        Thread.ofPlatform()
            .daemon()
            .name("cloudkon-leave")
            .start(() -> watch(leave, margin, halt)));
  }

  private static void watch(Wait leave, Duration margin, IntConsumer halt) {
    try {
      leave.await();
      WorkerEnd.pause(margin);
    } catch (InterruptedException e) {
      return; // the worker has ended by itself
    }
    System.err.println(
        "cloudkon worker: ended immediately, as a task ignores its interruption and other workers"
            + " may start it");
    // not SUCCESS: the worker may not have ended the instance that was launched for it
    halt.accept(ExitCodes.SERVICE);
  }

  /** Ends the watch, because the worker has ended. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
