package io.cloudkon.client.plan;

import io.cloudkon.core.config.Durations;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The distribution of the durations of one kind of task: constant, or log-normal between two
 * bounds, as run times mostly are. Immutable.
 *
 * @param least the shortest duration, in microseconds
 * @param most the longest duration, in microseconds
 */
record Spread(long least, long most) {
  /** Values outside this number of standard deviations of the logarithm are drawn again. */
  private static final double BOUND = 2;

  /**
   * Parses {@code 50ms}, or {@code 10ms..2s}.
   *
   * @throws IllegalArgumentException if it is neither; the message says what was expected
   */
  static Spread parse(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      long micros = micros(text);
      return new Spread(micros, micros);
    }
    long least = micros(text.substring(0, dots));
    long most = micros(text.substring(dots + 2));
    if (least < 1 || most < least) {
      throw new IllegalArgumentException(
          "'%s' is not a range; expected a shorter and a longer time, such as 10ms..2s"
              .formatted(text));
    }
    return new Spread(least, most);
  }

  private static long micros(String text) {
    Duration duration = Durations.parse(text);
    return duration.toNanos() / 1000;
  }

  /** Draws one task's duration, in microseconds. */
  long draw(SplittableRandom random) {
    if (least == most) {
      return least;
    }
    double sigma = Math.log((double) most / least) / (2 * BOUND);
    double z = random.nextGaussian();
    while (Math.abs(z) > BOUND) {
      z = random.nextGaussian();
    }
    double middle = Math.sqrt((double) least * most);
    return Math.clamp(Math.round(middle * Math.exp(sigma * z)), least, most);
  }

  /** The text form that the command line uses. */
  @Override
  public String toString() {
    return least == most ? text(least) : text(least) + ".." + text(most);
  }

  private static String text(long micros) {
    return Durations.format(Duration.ofNanos(micros * 1000));
  }
}
