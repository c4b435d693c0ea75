package io.cloudkon.core.error;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The log of a call that is repeated and may fail as long as its service is unavailable: reports
 * that it fails, then once a minute that it still fails, and when it works again. Thread safe.
 */
public final class OutageLog {
  /** How often a lasting outage is reported again. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  private final Consumer<String> log;
  private final String what;
  private final LongSupplier nanos;
  private long failures;
  private long since;
  private long said;

  /**
   * A log without failures.
   *
   * @param log receives each line
   * @param what the call, as the subject of a sentence, such as {@code receive}
   * @param nanos a monotonic clock
   */
  public OutageLog(Consumer<String> log, String what, LongSupplier nanos) {
    this.log = log;
    this.what = what;
    this.nanos = nanos;
  }

  /**
   * Records that the call has failed and will be repeated.
   *
   * @param why the reason, for display
   */
  public synchronized void failed(String why) {
    long now = nanos.getAsLong();
    failures++;
    if (failures == 1) {
      since = now;
      said = now;
      log.accept("%s failed, trying again: %s".formatted(what, why));
    } else if (now - said >= EVERY.toNanos()) {
      said = now;
      log.accept(
          String.format(
              Locale.ROOT,
              "%s has failed for %d s now, %d times, trying again: %s",
              what,
              seconds(now),
              failures,
              why));
    }
  }

  /** Records that the call has succeeded. */
  public synchronized void succeeded() {
    if (failures > 1) {
      log.accept(
          String.format(
              Locale.ROOT, "%s works again, after %d s", what, seconds(nanos.getAsLong())));
    }
    failures = 0;
  }

  private long seconds(long now) {
    return Duration.ofNanos(now - since).toSeconds();
  }
}
