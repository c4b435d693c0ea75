package io.cloudkon.core.protocol.durations;

import java.util.Arrays;

/**
 * Sums up how long tasks took, without those that took more than twenty times the mean: where tasks
 * last for microseconds, a pause of the machine in the midst of one says nothing of the others. At
 * most one task in twenty can be left out. Pure; used by one thread at a time.
 */
public final class DurationSum {
  private static final int TOO_LONG = 20;

  private long[] micros = new long[16];
  private int size;

  /** A task took so long; less than nothing counts as nothing. */
  public void add(long took) {
    if (size == micros.length) {
      micros = Arrays.copyOf(micros, 2 * size);
    }
    micros[size++] = Math.max(0, took);
  }

  /** How many were added. */
  public int size() {
    return size;
  }

  /** Takes what was added, as a number of tasks and their time; at least one task. */
  public Sum take() {
    double all = 0;
    for (int i = 0; i < size; i++) {
      all += micros[i];
    }
    double most = TOO_LONG * all / size;
    int count = 0;
    long sum = 0;
    for (int i = 0; i < size; i++) {
      if (micros[i] <= most) {
        count++;
        sum += micros[i];
      }
    }
    size = 0;
    return new Sum(count, sum);
  }

  /**
   * So many tasks took so long together.
   *
   * @param micros microseconds
   */
  public record Sum(int count, long micros) {}
}
