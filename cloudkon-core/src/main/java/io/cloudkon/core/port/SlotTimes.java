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

  /** The same, with another's times for those that are unknown. */
  public SlotTimes or(SlotTimes other) {
    return new SlotTimes(
        taskMicros > 0 ? taskMicros : other.taskMicros,
        jobMicros > 0 ? jobMicros : other.jobMicros);
  }
}
