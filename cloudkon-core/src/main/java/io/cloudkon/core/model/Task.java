package io.cloudkon.core.model;

/**
 * One task of a run, as defined in the workload. Immutable.
 *
 * @param ordinal its position among the run's tasks, from 0, which identifies it in the protocol
 * @param id the id that the user sees: the user's own id, or the number of its line in the workload
 *     file (from 1) if none was given
 * @param work the work that it does
 * @param timeoutMillis the time limit of one try in milliseconds; 0 means the run's limit, or none
 * @param retries how often it is tried again after it failed or timed out; {@link #RUNS_RETRIES}
 *     means the run's number
 * @param tried the number of tries that failed in previous bundles, which count
 * @param files the task's own input files, and the files that it brings back
 */
public record Task(
    int ordinal,
    String id,
    Work work,
    long timeoutMillis,
    int retries,
    int tried,
    TaskFiles files) {
  /** The run's number of retries; occurs only between the workload and its bundle. */
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

  /** The same task with other work. */
  public Task with(Work other) {
    return new Task(ordinal, id, other, timeoutMillis, retries, tried, files);
  }

  /** The same task after that many failed tries. */
  public Task withTried(int tries) {
    return tries == tried
        ? this
        : new Task(ordinal, id, work, timeoutMillis, retries, tries, files);
  }

  /** The same task with other files. */
  public Task with(TaskFiles others) {
    return new Task(ordinal, id, work, timeoutMillis, retries, tried, others);
  }

  /** The same task with other limits. */
  public Task with(long otherTimeoutMillis, int otherRetries) {
    return new Task(ordinal, id, work, otherTimeoutMillis, otherRetries, tried, files);
  }
}
