package io.cloudkon.simulator;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.cloud.CallCounts;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.report.PublishedStage;

/**
 * The outcome of a simulation that ended well.
 *
 * @param workers how many there were
 * @param slots of all of them together
 * @param measures the tasks' times
 * @param calls what was called
 * @param mostInFlight the most messages of the request queue that were received and not deleted at
 *     a time
 * @param mostWaiting the most that waited there
 * @param overLimit receives that were refused as too many were in flight
 * @param endMicros when everything was over, the last deletion included; virtual
 * @param events how much happened
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

  /** Tasks that have a result. */
  public long tasks() {
    long sum = 0;
    for (TaskStatus status : TaskStatus.values()) {
      sum += measures.count(status);
    }
    return sum;
  }

  /** From the begin of the first send to the last result. */
  public double makespanSeconds() {
    return measures.makespanMicros() / 1e6;
  }

  public double tasksPerSecond() {
    return tasks() / Math.max(1e-6, makespanSeconds());
  }

  /** The tasks' own run time over the slot-seconds that there were: from 0 to 1. */
  public double efficiency() {
    return measures.runMicros() / Math.max(1.0, (double) measures.makespanMicros() * slots);
  }

  /** One stage's times at a percentile, in milliseconds. */
  public double millis(PublishedStage stage, double percentile) {
    return measures.histogram(stage).getValueAtPercentile(percentile) / 1000.0;
  }
}
