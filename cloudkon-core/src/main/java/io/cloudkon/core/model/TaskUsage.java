package io.cloudkon.core.model;

/**
 * Time that a task used apart from that between its start and its end.
 *
 * @param stagingMicros how long its slot made its files ready, up to its start, in microseconds; 0
 *     if there were none
 * @param cpuMicros what its command used of processors, user and system, in microseconds, by the
 *     system's wait call: its own, and that of all it waited for; 0 where nobody tells
 */
public record TaskUsage(long stagingMicros, long cpuMicros) {
  /** Of a task that is no command and has no files. */
  public static final TaskUsage NONE = new TaskUsage(0, 0);

  public TaskUsage {
    if (stagingMicros < 0 || cpuMicros < 0) {
      throw new IllegalArgumentException(
          "staging for %d us, processors for %d us".formatted(stagingMicros, cpuMicros));
    }
  }
}
