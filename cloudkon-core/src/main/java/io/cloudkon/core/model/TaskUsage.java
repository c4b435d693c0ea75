package io.cloudkon.core.model;

/**
 * What a command used of its machine. Immutable.
 *
 * @param cpuMicros of processors, user and system, in microseconds, by the system's wait call: its
 *     own, and that of all it waited for; 0 where nobody tells
 * @param maxRssBytes the most memory that it and its children held at any time; 0 where nobody
 *     tells
 */
public record TaskUsage(long cpuMicros, long maxRssBytes) {
  /** Of everything but commands, and of those where the system does not tell. */
  public static final TaskUsage UNKNOWN = new TaskUsage(0, 0);
}
