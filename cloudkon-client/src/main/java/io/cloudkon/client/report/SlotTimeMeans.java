package io.cloudkon.client.report;

import io.cloudkon.core.port.SlotTimes;

/**
 * The average slot times of the tasks and of the HPC jobs that have run. Separate averages, because
 * one wide job among short tasks would make these look long, and the fleet grow to its maximum. Not
 * thread safe.
 */
final class SlotTimeMeans {
  private long tasks;
  private double taskMicros;
  private long jobs;
  private double jobMicros;

  /**
   * Takes a task or a job into account.
   *
   * @param ranks the number of a job's ranks; 0 for a task
   * @param micros how long it ran, in microseconds
   */
  void ran(int ranks, long micros) {
    double slotMicros = Math.max(1.0, ranks) * Math.max(0, micros);
    if (ranks > 0) {
      jobs++;
      jobMicros += slotMicros;
    } else {
      tasks++;
      taskMicros += slotMicros;
    }
  }

  SlotTimes times() {
    return SlotTimes.of(taskMicros, tasks, jobMicros, jobs);
  }
}
