package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Ends the process of a worker that must leave at once and does not end by itself within its clock
 * margin. A handler that ignores its interruption ends only with the process, but an orderly end
 * waits for services, up to a minute if none answers, and other workers start the task one margin
 * after the lease. The end of its instance is requested first, as the orderly end may not come to
 * it. Thread safe.
 */
final class LeaveWatchdog implements AutoCloseable {
  /** The part of the margin in which the reason must be printed. */
  private static final int PRINTING = 10;

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
   * @param endMachine ends the instance that was launched for the worker, if any, and returns
   *     whether there is one; may block
   * @param halt ends the process at once, with an exit code
   */
  static LeaveWatchdog start(
      Wait leave, Duration margin, BooleanSupplier endMachine, IntConsumer halt) {
    return new LeaveWatchdog(
        thread("cloudkon-leave", () -> watch(leave, margin, endMachine, halt)));
  }

  private static Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(work);
  }

  private static void watch(
      Wait leave, Duration margin, BooleanSupplier endMachine, IntConsumer halt) {
    AtomicBoolean machineEnds = new AtomicBoolean();
    try {
      leave.await();
      var unused = thread("cloudkon-leave-end", () -> machineEnds.set(endMachine.getAsBoolean()));
      WorkerEnd.pause(margin.minus(margin.dividedBy(PRINTING)));
      // Whoever reads the standard error may have stopped.
      Thread printing = thread("cloudkon-leave-print", LeaveWatchdog::print);
      printing.join(margin.dividedBy(PRINTING));
    } catch (InterruptedException e) {
      return; // the worker has ended by itself
    } catch (RuntimeException | Error e) {
      // No thread can start: the halt must come nevertheless.
    }
    // An instance whose end was not requested goes on with a new worker.
    halt.accept(machineEnds.get() ? ExitCodes.ENDED_ITSELF : ExitCodes.SERVICE);
  }

  private static void print() {
    System.err.println(
        "cloudkon worker: ended immediately, as a task ignores its interruption and other workers"
            + " may start it");
  }

  /** Ends the watch, because the worker has ended; does not return before its thread has ended. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
