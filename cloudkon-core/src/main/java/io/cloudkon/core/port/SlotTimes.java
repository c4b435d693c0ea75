package io.cloudkon.core.port;

/**
 * The average slot times of a run's tasks and of its HPC jobs, in microseconds; 0 while they are
 * unknown. Immutable.
 *
 * @param taskMicros the time for which a task occupies its slot
 * @param jobMicros the time for which an HPC job occupies its slots, summed over all of them
 */
public record SlotTimes(double taskMicros, double jobMicros) {
  /** Nothing is known yet. */
  public static final SlotTimes UNKNOWN = new SlotTimes(0, 0);

  /**
   * The averages of these totals; at least a microsecond each, because 0 means that it is unknown.
   *
   * @param taskMicros the total time of the tasks, in microseconds
   * @param tasks the number of tasks; with 0 their average is unknown
   * @param jobMicros the total slot time of the jobs, likewise
   * @param jobs the number of jobs, likewise
   */
  public static SlotTimes of(double taskMicros, long tasks, double jobMicros, long jobs) {
    return new SlotTimes(mean(taskMicros, tasks), mean(jobMicros, jobs));
  }

  private static double mean(double micros, long count) {
    return count <= 0 ? 0 : Math.max(1, micros / count);
  }

  /** The same, with another's times for those that are unknown. */
  public SlotTimes or(SlotTimes other) {
    return new SlotTimes(
        taskMicros > 0 ? taskMicros : other.taskMicros,
        jobMicros > 0 ? jobMicros : other.jobMicros);
  }
}
