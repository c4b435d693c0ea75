package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.time.Moment;

/**
 * The one question that a worker may have open, and how long it has been without answers. Times by
 * the monotonic clock. Used by one machine.
 */
final class Inquiry {
  /** A question that was not answered is asked again after so long, in milliseconds. */
  private static final long AGAIN_MILLIS = 1_000;

  private static final long NEVER = Long.MIN_VALUE / 4;

  private boolean open;
  private Moment askedAt = new Moment(0, 0);

  /** Work came while it was open: its answer says nothing any more. */
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

  /** When the question that was answered last was asked. */
  Moment askedAt() {
    return askedAt;
  }

  void workCame() {
    workCame = open;
    unansweredSince = NEVER;
  }

  /** The answer came; says whether it counts. */
  boolean answered() {
    open = false;
    unansweredSince = NEVER;
    return !workCame;
  }

  /** The call failed; says whether that counts. */
  boolean failed(Moment now) {
    open = false;
    notBefore = now.mono() + AGAIN_MILLIS;
    if (unansweredSince == NEVER) {
      unansweredSince = now.mono();
    }
    return !workCame;
  }

  /** For how long every question has failed. */
  long unansweredFor(Moment now) {
    return unansweredSince == NEVER ? 0 : now.mono() - unansweredSince;
  }
}
