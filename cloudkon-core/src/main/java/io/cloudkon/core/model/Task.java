package io.cloudkon.core.model;

/**
 * One task of a run, as the workload states it. Immutable.
 *
 * @param ordinal its place among the run's tasks, from 0: the identity that the protocol uses
 * @param id the user's own id, or the number of its line in the workload file (from 1) where none
 *     was given: what the user sees
 * @param work what it does
 * @param timeoutMillis how long one try may take, in milliseconds; 0 means no limit, or the run's
 *     where it has one
 * @param retries how often it is tried again after it failed or timed out; {@link #RUNS_RETRIES}
 *     means as often as the run says
 */
public record Task(int ordinal, String id, Work work, long timeoutMillis, int retries) {
  /** As often as the run says; only on its way from the workload to its bundle. */
  public static final int RUNS_RETRIES = -1;

  /** A task that is tried once. */
  public Task(int ordinal, String id, Work work, long timeoutMillis) {
    this(ordinal, id, work, timeoutMillis, 0);
  }

  /** The same with other work. */
  public Task with(Work other) {
    return new Task(ordinal, id, other, timeoutMillis, retries);
  }
}
