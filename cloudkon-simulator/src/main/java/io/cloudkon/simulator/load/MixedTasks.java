package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.SplittableRandom;

/**
 * Tasks with individual durations in whole milliseconds: {@code sleep} with that argument, so that
 * the state machines know the duration. Immutable.
 */
public final class MixedTasks implements Tasks {
  /** The distance of the bounds from the median, in standard deviations of the logarithm. */
  private static final double REACH = 3;

  private final int[] millis;

  private MixedTasks(int[] millis) {
    this.millis = millis;
  }

  /**
   * Durations that are uniformly distributed between two bounds, in milliseconds, both included.
   */
  public static MixedTasks uniform(int size, int least, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] millis = new int[size];
    for (int i = 0; i < size; i++) {
      millis[i] = random.nextInt(least, most + 1);
    }
    return new MixedTasks(millis);
  }

  /**
   * Durations that are log-normally distributed between two bounds, in milliseconds. The median is
   * the bounds' geometric mean, and each bound is three standard deviations from it. Values outside
   * the bounds are drawn again. Between 1 ms and 1 s the mean is 60 ms.
   *
   * @param least the lower bound; 1 or more
   */
  public static MixedTasks logNormal(int size, int least, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double median = Math.sqrt((double) least * most);
    double sigma = Math.log((double) most / least) / (2 * REACH);
    int[] millis = new int[size];
    for (int i = 0; i < size; i++) {
      long drawn = 0;
      while (drawn < least || drawn > most) {
        drawn = Math.round(median * Math.exp(sigma * random.nextGaussian()));
      }
      millis[i] = (int) drawn;
    }
    return new MixedTasks(millis);
  }

  @Override
  public int size() {
    return millis.length;
  }

  @Override
  public Task task(int ordinal) {
    return new Task(ordinal, "", new Work.Sleep(millis[ordinal]), 0);
  }

  @Override
  public long micros(int ordinal) {
    return millis[ordinal] * 1000L;
  }
}
