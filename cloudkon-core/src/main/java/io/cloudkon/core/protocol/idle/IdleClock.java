package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.time.Moment;

/**
 * For how long a worker has been there, and without work, and when it may end for that. By the
 * monotonic clock. Used by one machine.
 */
final class IdleClock {
  /** Between two looks that found jobs waiting, at least, in milliseconds. */
  private static final long LOOK_MILLIS = 5_000;

  /** And one look of all the cluster's workers together per so long. */
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

  /** Jobs wait; so many workers and gangs may look for them as this one does. */
  void jobsWait(int shares, Moment now) {
    idleSince = now.mono();
    looksAt = now.mono() + Math.max(LOOK_MILLIS, LOOK_PER_SHARE_MILLIS * shares);
  }

  /** In how many milliseconds it may end for being idle if no work comes; 0 is now. */
  long endsIn(Moment now) {
    long earliest = Math.max(now.mono(), looksAt);
    return begun + settings.endsAt(earliest - begun, idleSince - begun) - now.mono();
  }

  /** Whether it has lived for as long as it may. */
  boolean livedOut(Moment now) {
    return now.mono() - begun >= settings.lifetime();
  }
}
