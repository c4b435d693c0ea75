package io.cloudkon.simulator.cloud;

import java.util.SplittableRandom;

/**
 * The round-trip latency of a call: log-normal, as is typical of services.
 *
 * @param medianMicros the median, in microseconds
 * @param sigma the standard deviation of the logarithm; 0 for always the median
 */
public record Latency(double medianMicros, double sigma) {
  /** The maximum: the SDK's clients are configured to give up a call after 10 s. */
  private static final double LONGEST_MICROS = 10_000_000;

  /** The 99th percentile of the standard normal distribution. */
  private static final double Z99 = 2.3263;

  public Latency {
    if (medianMicros < 0 || sigma < 0) {
      throw new IllegalArgumentException(
          "a latency of %s us, sigma %s".formatted(medianMicros, sigma));
    }
  }

  /** A latency with this median and 99th percentile, in milliseconds. */
  public static Latency millis(double median, double p99) {
    return new Latency(median * 1000, Math.log(p99 / median) / Z99);
  }

  /** A constant latency, in milliseconds. */
  public static Latency always(double millis) {
    return new Latency(millis * 1000, 0);
  }

  /** A random latency of one call, in microseconds. */
  long draw(SplittableRandom random) {
    double micros =
        sigma == 0 ? medianMicros : medianMicros * Math.exp(sigma * random.nextGaussian());
    return (long) Math.min(micros, LONGEST_MICROS);
  }
}
