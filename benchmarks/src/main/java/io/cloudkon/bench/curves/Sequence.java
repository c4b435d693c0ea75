package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Published;
import io.cloudkon.core.model.Limits;

/**
 * The original by arithmetic: each of its worker threads works alone, and does for each task, one
 * after the other, its part of receiving ten, the write to DynamoDB, its own 8 ms, the task, its
 * part of sending ten results, and of deleting ten. Queues and services take any load.
 */
final class Sequence {
  /** Receive, reply and delete, each for ten tasks. */
  private static final double QUEUE_CALLS = 3.0 / Limits.BATCH;

  private Sequence() {}

  /** How long one thread is busy with one task, in milliseconds. */
  static double cycle(double taskMillis, boolean claims) {
    double queue = QUEUE_CALLS * Published.LATENCIES.sqs().medianMicros();
    double write = claims ? Published.LATENCIES.dynamo().medianMicros() : 0;
    return taskMillis + (queue + write + Published.OVERHEAD_MICROS) / 1000.0;
  }

  /** Tasks per second. */
  static double throughput(int workers, int slots, double taskMillis) {
    return workers * slots * 1000.0 / cycle(taskMillis, true);
  }

  /** In percent. */
  static double efficiency(double taskMillis) {
    return 100 * taskMillis / cycle(taskMillis, true);
  }

  /** What claims cost, in percent of the time without. */
  static double overhead(double taskMillis) {
    return 100 * (cycle(taskMillis, true) / cycle(taskMillis, false) - 1);
  }
}
