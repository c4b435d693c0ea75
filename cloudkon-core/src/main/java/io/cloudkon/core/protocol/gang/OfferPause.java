package io.cloudkon.core.protocol.gang;

/**
 * Decides for how long a worker takes no offers of ranks because a manager could not call it: 5 s
 * at first, twice as long each time, and at most a minute. The offers are for workers that can be
 * called. A manager that accepts the worker ends the pause. Pure; not thread safe.
 */
public final class OfferPause {
  static final long FIRST_MILLIS = 5_000;
  static final long LONGEST_MILLIS = 60_000;

  private long nextMillis = FIRST_MILLIS;
  private long until = Long.MIN_VALUE;

  /**
   * Records that a manager could not call this worker; returns the length of the pause that begins,
   * or 0 if one lasts already, because several managers may say so at once.
   */
  public long unreached(long monoMillis) {
    if (pauses(monoMillis)) {
      return 0;
    }
    long millis = nextMillis;
    until = monoMillis + millis;
    nextMillis = Math.min(LONGEST_MILLIS, 2 * millis);
    return millis;
  }

  /** Records that the manager of another worker could call this one. */
  public void reached() {
    nextMillis = FIRST_MILLIS;
    until = Long.MIN_VALUE;
  }

  /** Whether the worker takes no offers now. */
  public boolean pauses(long monoMillis) {
    return monoMillis < until;
  }
}
