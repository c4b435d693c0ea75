package io.cloudkon.core.protocol.bundler;

import java.util.Arrays;

/**
 * Estimates what it costs to carry a bundle: the calls that it needs, times the median of those
 * that this client made lately, by its own clock. Pure; used by one thread at a time.
 */
final class CarryingCost {
  /**
   * The calls for a bundle that shares none: to send it, receive it, claim it, end its claim and
   * delete it; to send, receive and delete its results.
   */
  static final int CALLS = 8;

  /** So many calls are remembered; a median of fewer than half of them is none. */
  static final int REMEMBERED = 15;

  private final long[] micros = new long[REMEMBERED];
  private long calls;

  /** A call took so long; microseconds. */
  void called(long took) {
    micros[(int) (calls++ % REMEMBERED)] = Math.max(0, took);
  }

  /** The cost of carrying a bundle, in microseconds; 0 while too few calls were made to tell. */
  double micros() {
    int known = (int) Math.min(calls, REMEMBERED);
    if (known <= REMEMBERED / 2) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(micros, known);
    Arrays.sort(sorted);
    return (double) CALLS * sorted[known / 2];
  }
}
