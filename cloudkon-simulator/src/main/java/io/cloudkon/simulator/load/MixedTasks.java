package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.SplittableRandom;

/**
 * Tasks that each take their own time, in whole milliseconds: {@code sleep} with that argument, so
 * that the machines know it. Immutable.
 */
public final class MixedTasks implements Tasks {
  /** A range reaches so far to both sides, in standard deviations of the logarithm. */
  private static final double REACH = 3;

  private final int[] millis;

  private MixedTasks(int[] millis) {
    this.millis = millis;
  }

  /** Anything between two bounds, in milliseconds, both included, is as likely. */
  public static MixedTasks uniform(int size, int least, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] millis = new int[size];
    for (int i = 0; i < size; i++) {
      millis[i] = random.nextInt(least, most + 1);
    }
    return new MixedTasks(millis);
  }

  /**
   * Log-normal between two bounds, in milliseconds: the median is their geometric mean, and they
   * lie three standard deviations from it; what would fall outside is drawn again. Between 1 ms and
   * 1 s the mean is 60 ms.
   *
   * @param least 1 or more
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
