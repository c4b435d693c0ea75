package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/**
 * For how long receives have come back empty. Several may be under way at a time: an empty one that
 * began before the last disturbance proves nothing, and none tells of what came after it.
 * Milliseconds of the monotonic clock.
 */
final class Quiet {
  /** How long ago the last one may be: an uncertain lease, or a stop, keeps a client from more. */
  private static final long FRESH = 1_000;

  private long emptySince = Long.MAX_VALUE;
  private Moment emptyUntil = new Moment(0, 0);
  private long from = Long.MIN_VALUE;
  private QuietElsewhere elsewhere = (millis, now) -> true;

  /** From here on it is quiet only where it is quiet there too. */
  void alsoWaitFor(QuietElsewhere other) {
    elsewhere = other;
  }

  /** A receive came back, with so many messages. */
  void received(int messages, Moment begun, Moment now) {
    if (messages > 0) {
      disturbed(now);
    } else {
      empty(begun, now);
    }
  }

  /** A receive that began at this moment came back empty. */
  void empty(Moment begun, Moment now) {
    if (begun.mono() >= from) {
      emptySince = Math.min(emptySince, begun.mono());
      emptyUntil = now;
    }
  }

  /** Something came, may have come, or may be about to: waiting begins anew. */
  void disturbed(Moment now) {
    emptySince = Long.MAX_VALUE;
    from = now.mono();
  }

  /** Whether it was quiet for so long until now, as far as receives have shown. */
  boolean lasted(long millis, Moment now) {
    return lasted(millis, FRESH, now) && elsewhere.lasted(millis, now);
  }

  /** The same, where the last empty receive may have ended so many milliseconds ago. */
  boolean lasted(long millis, long fresh, Moment now) {
    return emptySince != Long.MAX_VALUE
        && emptyUntil.mono() - emptySince >= millis
        && !now.eitherPast(emptyUntil.plus(fresh));
  }
}
