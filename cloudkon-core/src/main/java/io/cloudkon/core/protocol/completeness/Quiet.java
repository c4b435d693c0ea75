package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/**
 * For how long receives have come back empty. Several may be under way at a time: an empty one that
 * began before the last disturbance proves nothing. Milliseconds of the monotonic clock.
 */
final class Quiet {
  private long emptySince = Long.MAX_VALUE;
  private long emptyUntil;
  private long from = Long.MIN_VALUE;

  /** A receive that began at this moment came back empty. */
  void empty(Moment begun, Moment now) {
    if (begun.mono() >= from) {
      emptySince = Math.min(emptySince, begun.mono());
      emptyUntil = now.mono();
    }
  }

  /** Something came, may have come, or may be about to: waiting begins anew. */
  void disturbed(Moment now) {
    emptySince = Long.MAX_VALUE;
    from = now.mono();
  }

  /** Whether it was quiet for so long, as far as receives have shown. */
  boolean lasted(long millis) {
    return emptySince != Long.MAX_VALUE && emptyUntil - emptySince >= millis;
  }
}
