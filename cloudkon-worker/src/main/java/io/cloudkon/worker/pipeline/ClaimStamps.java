package io.cloudkon.worker.pipeline;

/**
 * The times at which a claim was asked for and answered, and its attempt; the first time counts.
 */
final class ClaimStamps {
  private volatile long begun;
  private volatile long claimed;
  private volatile int attempt = 1;

  /** It is being asked for. */
  void begun(long micros) {
    if (begun == 0) {
      begun = micros;
    }
  }

  /** It is there, at this attempt. */
  void claimed(long micros, int newAttempt) {
    if (claimed == 0) {
      claimed = micros;
      attempt = newAttempt;
    }
  }

  /** 1 where there is no claim. */
  int attempt() {
    return attempt;
  }

  /** When it was asked for; where it was not, when its bundle was received. */
  long begunOr(long received) {
    return begun == 0 ? received : begun;
  }

  /** When it was there; where that is not known, its stage has no length. */
  long claimedOr(long received) {
    return claimed == 0 ? begunOr(received) : claimed;
  }
}
