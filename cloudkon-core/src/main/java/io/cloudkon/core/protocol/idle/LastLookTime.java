package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.time.Moment;

/**
 * The time of a worker's last look at its queues, which stands still while the worker holds
 * messages. Pure; used by one thread at a time.
 */
final class LastLookTime {
  private final long patience;
  private long begun;
  private long ticked;

  /**
   * The time of a last look that has not begun.
   *
   * @param patience how long it may take, in milliseconds
   */
  LastLookTime(long patience, Moment now) {
    this.patience = patience;
    this.ticked = now.mono();
  }

  void begin(Moment now) {
    begun = now.mono();
  }

  /** Does not count the time since the last tick. */
  void holds(Moment now) {
    begun += now.mono() - ticked;
  }

  /** Ends a tick, in every phase. */
  void ticked(Moment now) {
    ticked = now.mono();
  }

  /** Whether it takes too long. */
  boolean over(Moment now) {
    return now.mono() - begun >= patience;
  }
}
