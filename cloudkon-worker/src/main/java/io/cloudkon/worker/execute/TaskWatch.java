package io.cloudkon.worker.execute;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A slot's thread waiting, parked, for its task to end by itself, by time, or by a kill. */
final class TaskWatch {
  /** Why a wait ended. */
  enum End {
    DONE,
    TIMED_OUT,
    KILLED
  }

  private TaskWatch() {}

  /**
   * Parks until the first of the three. Whoever makes {@code done} true unparks this thread. An
   * interrupt of the slot's own thread counts as a kill of this task; the flag stays set.
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
   * Whether it was done within the time; deaf to kills and interrupts, for an end being awaited.
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

  /** Waits for the end of a thread that was told to end, however often it is interrupted itself. */
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
