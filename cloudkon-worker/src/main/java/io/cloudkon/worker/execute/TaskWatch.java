package io.cloudkon.worker.execute;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Parks a slot's thread until its task ends by itself, by its time limit, or by a kill. */
final class TaskWatch {
  /** The reason why a wait ended. */
  enum End {
    DONE,
    TIMED_OUT,
    KILLED
  }

  private TaskWatch() {}

  /**
   * Parks until the first of the three. The thread that makes {@code done} true must unpark this
   * one. An interrupt of the slot's own thread counts as a kill of this task; the flag stays set.
   */
  static End await(BooleanSupplier done, Deadline deadline, Interruption interruption) {
    Thread slot = Thread.currentThread();
    try (var _ = interruption.onKill(() -> LockSupport.unpark(slot))) {
      while (true) {
        if (done.getAsBoolean()) {
          return End.DONE;
        }
        if (interruption.killed() || slot.isInterrupted()) {
          return End.KILLED;
        }
        long left = deadline.left();
        if (left <= 0) {
          return End.TIMED_OUT;
        }
        park(left);
      }
    }
  }

  /**
   * Returns whether it was done within the time. Ignores kills and interrupts, because the task is
   * already being stopped.
   */
  static boolean settles(BooleanSupplier done, long nanos) {
    Deadline deadline = Deadline.after(nanos);
    boolean interrupted = Thread.interrupted();
    long left = nanos;
    while (!done.getAsBoolean() && left > 0) {
      LockSupport.parkNanos(done, left);
      interrupted |= Thread.interrupted();
      left = deadline.left();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done.getAsBoolean();
  }

  /**
   * Waits for the end of a thread that was told to end, even if the waiting thread is interrupted.
   */
  static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void park(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park();
    } else {
      LockSupport.parkNanos(nanos);
    }
  }
}
