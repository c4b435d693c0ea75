package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/**
 * Measures how long receives have returned nothing. Several receives may be under way at a time: an
 * empty one that began before the last disturbance proves nothing, and no receive says anything
 * about the time after it. Times are in milliseconds of the monotonic clock.
 */
final class Quiet {
  /**
   * The maximum age of the last receive; an uncertain lease or a suspension prevents further ones.
   */
  private static final long FRESH = 1_000;

  private long emptySince = Long.MAX_VALUE;
  private Moment emptyUntil = new Moment(0, 0);
  private long from = Long.MIN_VALUE;
  private QuietElsewhere elsewhere = (millis, now) -> true;

  /** From now on, the other place must be quiet as well. */
  void alsoWaitFor(QuietElsewhere other) {
    elsewhere = other;
  }

  /** Records a receive that returned that many messages. */
  void received(int messages, Moment begun, Moment now) {
    if (messages > 0) {
      disturbed(now);
    } else {
      empty(begun, now);
    }
  }

  /** Records a receive that began at this moment and returned nothing. */
  void empty(Moment begun, Moment now) {
    if (begun.mono() >= from) {
      emptySince = Math.min(emptySince, begun.mono());
      emptyUntil = now;
    }
  }

  /** Restarts the wait, because something has arrived, may have arrived, or may be about to. */
  void disturbed(Moment now) {
    emptySince = Long.MAX_VALUE;
    from = now.mono();
  }

  /** Whether receives have shown that it was quiet for this time until now. */
  boolean lasted(long millis, Moment now) {
    return lasted(millis, FRESH, now) && elsewhereLasted(millis, now);
  }

  /** Whether the other place has been quiet for this time until now. */
  boolean elsewhereLasted(long millis, Moment now) {
    return elsewhere.lasted(millis, now);
  }

  /** The same, if the last empty receive may have ended up to {@code fresh} milliseconds ago. */
  boolean lasted(long millis, long fresh, Moment now) {
    return emptySince != Long.MAX_VALUE
        && emptyUntil.mono() - emptySince >= millis
        && !now.eitherPast(emptyUntil.plus(fresh));
  }
}
