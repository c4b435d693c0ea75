package io.cloudkon.bench.simulate;

import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;

/** The published facts about the machines on which the original's figures were measured. */
public final class Published {
  /**
   * How long calls took. DynamoDB: 8 ms at the median, its part of the worker's stage; elsewhere it
   * is given as about 10 ms an operation at every scale. SQS: 11 ms, the published median of a
   * push; a receive is taken to be the same. Tails are published in no form that a log-normal
   * distribution can have (a push of 10.8 ms at the 90th percentile and 202 ms at the 99.9th), so
   * that they are in today's proportion: 3 and 3.75 times the median at the 99th percentile.
   */
  public static final Latencies LATENCIES =
      new Latencies(
          Latency.millis(11, 41),
          Latency.millis(11, 41),
          Latency.millis(8, 24),
          Latencies.TODAY.s3());

  /**
   * What the original's worker needed for each task besides its calls, in microseconds: its stage
   * took 16 ms at the median, of which 8 ms were DynamoDB's.
   */
  public static final long OVERHEAD_MICROS = 8_000;

  private Published() {}
}
