package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Published;
import io.cloudkon.core.model.Limits;

/**
 * The original, computed arithmetically. Each of its worker threads works alone. For each task it
 * does, in sequence: its share of receiving ten tasks, the write to DynamoDB, its own 8 ms, the
 * task, its share of sending ten results, and its share of deleting ten messages. Queues and
 * services take any load.
 */
final class Sequence {
  /** The queue calls per task: receive, reply and delete, each for ten tasks. */
  private static final double QUEUE_CALLS = 3.0 / Limits.BATCH;

  private Sequence() {}

  /** How long a thread is busy with one task, in milliseconds. */
  static double cycle(double taskMillis, boolean claims) {
    double queue = QUEUE_CALLS * Published.LATENCIES.sqs().medianMicros();
    double write = claims ? Published.LATENCIES.dynamo().medianMicros() : 0;
    return taskMillis + (queue + write + Published.OVERHEAD_MICROS) / 1000.0;
  }

  /** Tasks per second. */
  static double throughput(int workers, int slots, double taskMillis) {
    return workers * slots * 1000.0 / cycle(taskMillis, true);
  }

  /** The efficiency, in percent. */
  static double efficiency(double taskMillis) {
    return 100 * taskMillis / cycle(taskMillis, true);
  }

  /** The cost of claims, in percent of the time without claims. */
  static double overhead(double taskMillis) {
    return 100 * (cycle(taskMillis, true) / cycle(taskMillis, false) - 1);
  }
}
