package io.cloudkon.core.batch;

import java.util.random.RandomGenerator;

/**
 * Exponential back-off with full jitter: the n-th wait is uniform between half of and the whole of
 * {@code base * 2^n}, up to a limit. Immutable and thread safe if its random generator is.
 *
 * @param baseMillis the maximum of the first wait, in milliseconds
 * @param limitMillis the longest wait, in milliseconds
 * @param random the source of the jitter
 */
public record BackOff(long baseMillis, long limitMillis, RandomGenerator random) {

  /** The wait after the given number of consecutive failures, from 1, in milliseconds. */
  public long millis(int failures) {
    long whole = Math.min(limitMillis, baseMillis << Math.min(20, Math.max(0, failures - 1)));
    return whole / 2 + random.nextLong(whole / 2 + 1);
  }
}
