package io.cloudkon.worker.execute;

import java.util.concurrent.TimeUnit;

/** A moment on the monotonic clock, or never. */
record Deadline(long startNanos, long limitNanos) {
  private static final Deadline NEVER = new Deadline(0, Long.MAX_VALUE);

  /** The deadline this many milliseconds from now; 0 means never, as in a task's time limit. */
  static Deadline ofTimeout(long millis) {
    return millis == 0 ? NEVER : after(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  static Deadline after(long nanos) {
    return new Deadline(System.nanoTime(), nanos);
  }

  /**
   * The nanoseconds left, 0 or less once the deadline has passed; never overflows, however long the
   * limit.
   */
  long left() {
    return limitNanos == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : limitNanos - (System.nanoTime() - startNanos);
  }
}
