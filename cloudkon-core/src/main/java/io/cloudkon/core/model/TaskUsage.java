package io.cloudkon.core.model;

/**
 * The staging time, processor time and memory of a task.
 *
 * @param stagingMicros the time in which its slot prepared its files before its start, in
 *     microseconds; 0 if it has no files
 * @param cpuMicros the user and system processor time of its command and of the children for which
 *     it waited, in microseconds, from the system's wait call; 0 if unknown
 * @param maxRssBytes the peak resident memory of the largest process among these; 0 if unknown
 */
public record TaskUsage(long stagingMicros, long cpuMicros, long maxRssBytes) {
  /** The usage of a task that is not a command and has no files. */
  public static final TaskUsage NONE = new TaskUsage(0, 0, 0);

  public TaskUsage {
    if (stagingMicros < 0 || cpuMicros < 0 || maxRssBytes < 0) {
      throw new IllegalArgumentException(
          "staging for %d us, processors for %d us, %d bytes"
              .formatted(stagingMicros, cpuMicros, maxRssBytes));
    }
  }

  /** A usage; {@link #NONE} if there is nothing in it, as for most tasks. */
  public static TaskUsage of(long stagingMicros, long cpuMicros, long maxRssBytes) {
    return (stagingMicros | cpuMicros | maxRssBytes) == 0
        ? NONE
        : new TaskUsage(stagingMicros, cpuMicros, maxRssBytes);
  }

  /** The same usage after this staging time. */
  public TaskUsage staged(long micros) {
    return new TaskUsage(micros, cpuMicros, maxRssBytes);
  }
}
