package io.cloudkon.core.error;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The log of a call that is repeated and may fail as long as its service is unavailable: reports
 * that it has failed for a minute, every ten minutes that it still fails, and when it works again.
 * A service that does not answer at all is reported sooner, and once for all calls, by {@code
 * Outages}. Thread safe.
 */
public final class OutageLog {
  /** The time for which a call must have failed before that is reported. */
  private static final Duration AFTER = Duration.ofMinutes(1);

  /** How often it is reported again. */
  private static final Duration EVERY = Duration.ofMinutes(10);

  private final Consumer<String> log;
  private final String what;
  private final LongSupplier nanos;
  private long failures;
  private long since;
  private boolean said;
  private long saidAt;

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
  public void failed(String why) {
    failed(why, AFTER);
  }

  /**
   * Records that the call was refused for a reason that will hardly pass by itself. It is reported
   * at once, and the call is repeated all the same.
   *
   * @param why the reason, for display
   */
  public void refused(String why) {
    failed(why, Duration.ZERO);
  }

  private synchronized void failed(String why, Duration after) {
    long now = nanos.getAsLong();
    failures++;
    if (failures == 1) {
      since = now;
    }
    if (said ? now - saidAt >= EVERY.toNanos() : now - since >= after.toNanos()) {
      said = true;
      saidAt = now;
      log.accept("%s has failed%s, trying again: %s".formatted(what, howOften(now), why));
    }
  }

  private String howOften(long now) {
    return failures == 1
        ? ""
        : String.format(Locale.ROOT, " for %d s now, %d times", seconds(now), failures);
  }

  /** Records that the call has succeeded. */
  public synchronized void succeeded() {
    if (said) {
      log.accept(
          String.format(
              Locale.ROOT, "%s works again, after %d s", what, seconds(nanos.getAsLong())));
    }
    failures = 0;
    said = false;
  }

  private long seconds(long now) {
    return Duration.ofNanos(now - since).toSeconds();
  }
}
