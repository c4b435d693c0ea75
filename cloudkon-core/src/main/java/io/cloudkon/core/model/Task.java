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
 * @param tried how many of its tries failed in the bundle that handed it on, and in those before;
 *     they count
 * @param files what it alone finds in its directory, and brings back from it
 */
public record Task(
    int ordinal,
    String id,
    Work work,
    long timeoutMillis,
    int retries,
    int tried,
    TaskFiles files) {
  /** As often as the run says; only on its way from the workload to its bundle. */
  public static final int RUNS_RETRIES = -1;

  /** A task without files of its own. */
  public Task(int ordinal, String id, Work work, long timeoutMillis, int retries, int tried) {
    this(ordinal, id, work, timeoutMillis, retries, tried, TaskFiles.NONE);
  }

  /** A task that was not tried yet. */
  public Task(int ordinal, String id, Work work, long timeoutMillis, int retries) {
    this(ordinal, id, work, timeoutMillis, retries, 0);
  }

  /** A task that is tried once. */
  public Task(int ordinal, String id, Work work, long timeoutMillis) {
    this(ordinal, id, work, timeoutMillis, 0, 0);
  }

  /** The same with other work. */
  public Task with(Work other) {
    return new Task(ordinal, id, other, timeoutMillis, retries, tried, files);
  }

  /** The same after so many tries that failed. */
  public Task withTried(int tries) {
    return tries == tried
        ? this
        : new Task(ordinal, id, work, timeoutMillis, retries, tries, files);
  }

  /** The same with other files. */
  public Task with(TaskFiles others) {
    return new Task(ordinal, id, work, timeoutMillis, retries, tried, others);
  }

  /** The same with other limits. */
  public Task with(long otherTimeoutMillis, int otherRetries) {
    return new Task(ordinal, id, work, otherTimeoutMillis, otherRetries, tried, files);
  }
}
