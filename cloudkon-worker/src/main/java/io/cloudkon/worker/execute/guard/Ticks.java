package io.cloudkon.worker.execute.guard;

import java.time.Duration;
import java.util.Locale;

/**
 * The guard's clock: it counts ticks, as a shell cannot read a pipe with a time limit. A second
 * each where that is fine enough, else a quarter of the deadline.
 */
record Ticks(long millis, long perDeadline) {
  private static final long FINE_ENOUGH_MILLIS = 4_000;

  static Ticks of(Duration deadline) {
    long all = deadline.toMillis();
    long millis = all >= FINE_ENOUGH_MILLIS ? 1_000 : Math.max(1, all / 4);
    return new Ticks(millis, all / millis);
  }

  /** Rounded down, so that time is over rather before than after; at least one. */
  long in(Duration time) {
    return Math.max(1, time.toMillis() / millis);
  }

  /** As {@code sleep} takes it. */
  String seconds() {
    return millis % 1_000 == 0
        ? Long.toString(millis / 1_000)
        : String.format(Locale.ROOT, "%.3f", millis / 1e3);
  }
}
