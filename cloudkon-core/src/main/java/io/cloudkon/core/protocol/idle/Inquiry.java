package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.time.Moment;

/**
 * The open query of a worker, and how long its queries have failed. Times are by the monotonic
 * clock. Used by one machine.
 */
final class Inquiry {
  /** The time after which an unanswered query is repeated, in milliseconds. */
  private static final long AGAIN_MILLIS = 1_000;

  private static final long NEVER = Long.MIN_VALUE / 4;

  private boolean open;
  private Moment askedAt = new Moment(0, 0);

  /** Whether work arrived while it was open, which invalidates its answer. */
  private boolean workCame;

  private long notBefore = NEVER;
  private long unansweredSince = NEVER;

  boolean mayAsk(Moment now) {
    return !open && now.mono() >= notBefore;
  }

  void asked(Moment now) {
    open = true;
    workCame = false;
    askedAt = now;
  }

  /** The time of the last query that was answered. */
  Moment askedAt() {
    return askedAt;
  }

  void workCame() {
    workCame = open;
    unansweredSince = NEVER;
  }

  /** Records an answer; returns whether it is valid. */
  boolean answered() {
    open = false;
    unansweredSince = NEVER;
    return !workCame;
  }

  /** Records a failure; returns whether it counts. */
  boolean failed(Moment now) {
    open = false;
    notBefore = now.mono() + AGAIN_MILLIS;
    if (unansweredSince == NEVER) {
      unansweredSince = now.mono();
    }
    return !workCame;
  }

  /** How long all queries have failed, in milliseconds. */
  long unansweredFor(Moment now) {
    return unansweredSince == NEVER ? 0 : now.mono() - unansweredSince;
  }
}
