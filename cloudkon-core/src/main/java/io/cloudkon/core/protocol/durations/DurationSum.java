package io.cloudkon.core.protocol.durations;

import java.util.Arrays;

/**
 * Sums up the run times of tasks, without those of more than twenty times the mean: if tasks take
 * microseconds, a pause of the machine during one of them says nothing about the others. At most
 * one task in twenty can be left out. Pure; used by one thread at a time.
 */
public final class DurationSum {
  private static final int TOO_LONG = 20;

  private long[] micros = new long[16];
  private int size;

  /** Adds a run time; a negative value counts as 0. */
  public void add(long took) {
    if (size == micros.length) {
      micros = Arrays.copyOf(micros, 2 * size);
    }
    micros[size++] = Math.max(0, took);
  }

  /** The number of added tasks. */
  public int size() {
    return size;
  }

  /** Takes the sum and starts again; at least one task must have been added. */
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
   * The total time of a number of tasks.
   *
   * @param micros the time in microseconds
   */
  public record Sum(int count, long micros) {}
}
