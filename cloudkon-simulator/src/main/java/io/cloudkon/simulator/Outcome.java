package io.cloudkon.simulator;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.cloud.CallCounts;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.report.PublishedStage;

/**
 * The outcome of a simulation that ended without a violation.
 *
 * @param workers the number of workers
 * @param slots the total number of slots
 * @param measures the tasks' times
 * @param calls the number of calls, by kind
 * @param mostInFlight the maximum number of messages of the request queue that were in flight
 *     (received but not yet deleted) at a time
 * @param mostWaiting the maximum number of messages that waited in the request queue
 * @param overLimit the number of receives that were refused because too many messages were in
 *     flight
 * @param endMicros when everything was over, including the last deletion; virtual microseconds
 * @param events the number of events that happened
 */
public record Outcome(
    int workers,
    int slots,
    Measures measures,
    CallCounts calls,
    int mostInFlight,
    int mostWaiting,
    long overLimit,
    long endMicros,
    long events) {

  /** The number of tasks that have a result. */
  public long tasks() {
    long sum = 0;
    for (TaskStatus status : TaskStatus.values()) {
      sum += measures.count(status);
    }
    return sum;
  }

  /** The time from the start of the first send to the last result. */
  public double makespanSeconds() {
    return measures.makespanMicros() / 1e6;
  }

  public double tasksPerSecond() {
    return tasks() / Math.max(1e-6, makespanSeconds());
  }

  /** The tasks' own run time divided by the available slot-seconds: from 0 to 1. */
  public double efficiency() {
    return measures.runMicros() / Math.max(1.0, (double) measures.makespanMicros() * slots);
  }

  /** One stage's times at a percentile, in milliseconds. */
  public double millis(PublishedStage stage, double percentile) {
    return measures.histogram(stage).getValueAtPercentile(percentile) / 1000.0;
  }
}
