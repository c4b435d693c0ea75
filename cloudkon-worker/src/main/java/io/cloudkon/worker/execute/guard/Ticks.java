package io.cloudkon.worker.execute.guard;

import java.time.Duration;
import java.util.Locale;

/**
 * The guard's clock. It counts ticks, because a shell cannot read a pipe with a time limit. A tick
 * is a second if that is fine enough, else a quarter of the deadline.
 */
record Ticks(long millis, long perDeadline) {
  private static final long FINE_ENOUGH_MILLIS = 4_000;

  static Ticks of(Duration deadline) {
    long all = deadline.toMillis();
    long millis = all >= FINE_ENOUGH_MILLIS ? 1_000 : Math.max(1, all / 4);
    return new Ticks(millis, all / millis);
  }

  /**
   * The ticks in a time, rounded down so that the guard acts early rather than late; at least one.
   */
  long in(Duration time) {
    return Math.max(1, time.toMillis() / millis);
  }

  /** The length of a tick as {@code sleep} takes it. */
  String seconds() {
    return millis % 1_000 == 0
        ? Long.toString(millis / 1_000)
        : String.format(Locale.ROOT, "%.3f", millis / 1e3);
  }
}
