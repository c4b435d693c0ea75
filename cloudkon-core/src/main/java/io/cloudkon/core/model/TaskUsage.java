package io.cloudkon.core.model;

/**
 * The staging time and processor time of a task.
 *
 * @param stagingMicros the time in which its slot prepared its files before its start, in
 *     microseconds; 0 if it has no files
 * @param cpuMicros the user and system processor time of its command and of the children for which
 *     it waited, in microseconds, from the system's wait call; 0 if unknown
 */
public record TaskUsage(long stagingMicros, long cpuMicros) {
  /** The usage of a task that is not a command and has no files. */
  public static final TaskUsage NONE = new TaskUsage(0, 0);

  public TaskUsage {
    if (stagingMicros < 0 || cpuMicros < 0) {
      throw new IllegalArgumentException(
          "staging for %d us, processors for %d us".formatted(stagingMicros, cpuMicros));
    }
  }
}
