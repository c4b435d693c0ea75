package io.cloudkon.worker.pipeline;

/**
 * The times at which a claim was requested and answered, and its attempt; only the first time
 * counts.
 */
final class ClaimStamps {
  private volatile long begun;
  private volatile long claimed;
  private volatile int attempt = 1;

  /** Records the request. */
  void begun(long micros) {
    if (begun == 0) {
      begun = micros;
    }
  }

  /** Records the grant, with its attempt. */
  void claimed(long micros, int newAttempt) {
    if (claimed == 0) {
      claimed = micros;
      attempt = newAttempt;
    }
  }

  /** The attempt; 1 if there is no claim. */
  int attempt() {
    return attempt;
  }

  /** The time at which it was requested or, if it was not, at which its bundle was received. */
  long begunOr(long received) {
    return begun == 0 ? received : begun;
  }

  /** The time at which it was granted; if that is unknown, its stage has no duration. */
  long claimedOr(long received) {
    return claimed == 0 ? begunOr(received) : claimed;
  }
}
