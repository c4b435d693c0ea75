package io.cloudkon.client.send;

import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.model.Task;

/**
 * Defaults of the run for tasks that do not set a value themselves. Immutable.
 *
 * @param timeoutMillis how long one try may take; 0 is no limit
 * @param retries how often a task is tried again
 */
public record TaskDefaults(long timeoutMillis, int retries) {

  /** Those of a run. */
  public static TaskDefaults of(RunOptions options) {
    return new TaskDefaults(options.timeoutMillis(), options.retries());
  }

  /** The task as it is sent, the first time and each time again. */
  public Task apply(Task task) {
    boolean limited = task.timeoutMillis() > 0 || timeoutMillis == 0;
    boolean saysRetries = task.retries() != Task.RUNS_RETRIES;
    return limited && saysRetries
        ? task
        : task.with(
            limited ? task.timeoutMillis() : timeoutMillis, saysRetries ? task.retries() : retries);
  }
}
