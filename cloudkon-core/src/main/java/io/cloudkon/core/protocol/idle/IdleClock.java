package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.time.Moment;

/**
 * Measures by the monotonic clock how long a worker has run and been idle, and determines when it
 * may end. Used by one machine.
 */
final class IdleClock {
  /** The minimum time between two readings that found waiting jobs, in milliseconds. */
  private static final long LOOK_MILLIS = 5_000;

  /** The average time between two such readings of all workers of the cluster together. */
  private static final long LOOK_PER_SHARE_MILLIS = 1_000;

  private final IdleSettings settings;
  private final long begun;
  private long idleSince;
  private long looksAt;

  IdleClock(IdleSettings settings, Moment now) {
    this.settings = settings;
    this.begun = now.mono();
    this.idleSince = now.mono();
    this.looksAt = now.mono();
  }

  void worked(Moment now) {
    idleSince = now.mono();
  }

  /**
   * Records that jobs wait, and that {@code shares} workers and gangs may read the ledger in the
   * same way.
   */
  void jobsWait(int shares, Moment now) {
    idleSince = now.mono();
    looksAt = now.mono() + Math.max(LOOK_MILLIS, LOOK_PER_SHARE_MILLIS * shares);
  }

  /**
   * In how many milliseconds the worker may end because it is idle, if no work arrives; 0 means
   * now.
   */
  long endsIn(Moment now) {
    long earliest = Math.max(now.mono(), looksAt);
    return begun + settings.endsAt(earliest - begun, idleSince - begun) - now.mono();
  }

  /** Whether the worker has reached its maximum lifetime. */
  boolean livedOut(Moment now) {
    return now.mono() - begun >= settings.lifetime();
  }
}
