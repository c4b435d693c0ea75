package io.cloudkon.bench.simulate;

import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;

/** The published facts about the machines on which the original's figures were measured. */
public final class Published {
  /**
   * The latencies of calls. DynamoDB: 8 ms at the median, its part of the worker's stage; elsewhere
   * it is given as about 10 ms per operation at every scale. SQS: 11 ms, the published median of a
   * push; a receive is assumed to take the same. The published tails fit no log-normal distribution
   * (a push of 10.8 ms at the 90th percentile and 202 ms at the 99.9th). So the 99th percentiles
   * are in today's proportion: 3 and 3.75 times the median.
   */
  public static final Latencies LATENCIES =
      new Latencies(
          Latency.millis(11, 41),
          Latency.millis(11, 41),
          Latency.millis(8, 24),
          Latencies.TODAY.s3());

  /**
   * The time that the original's worker needed for each task besides its calls, in microseconds.
   * Its stage took 16 ms at the median, of which DynamoDB took 8 ms.
   */
  public static final long OVERHEAD_MICROS = 8_000;

  private Published() {}
}
