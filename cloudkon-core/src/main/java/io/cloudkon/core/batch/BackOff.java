package io.cloudkon.core.batch;

import java.util.random.RandomGenerator;

/**
 * Exponential back-off with full jitter: the n-th wait is uniform between half of and the whole of
 * {@code base * 2^n}, up to a limit. Immutable and thread safe if its random generator is.
 *
 * @param baseMillis the first wait at most, in milliseconds
 * @param limitMillis the longest wait
 * @param random where the jitter comes from
 */
public record BackOff(long baseMillis, long limitMillis, RandomGenerator random) {

  /** How long to wait after the given number of failures in a row, from 1. */
  public long millis(int failures) {
    long whole = Math.min(limitMillis, baseMillis << Math.min(20, Math.max(0, failures - 1)));
    return whole / 2 + random.nextLong(whole / 2 + 1);
  }
}
