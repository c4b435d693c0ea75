package io.cloudkon.client.send;

import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.model.Task;

/**
 * The run's defaults for values that a task does not set. Immutable.
 *
 * @param timeoutMillis the limit for one try; 0 for no limit
 * @param retries how often a task is tried again
 */
public record TaskDefaults(long timeoutMillis, int retries) {

  /** The defaults of a run. */
  public static TaskDefaults of(RunOptions options) {
    return new TaskDefaults(options.timeoutMillis(), options.retries());
  }

  /** The task with the defaults applied, as it is sent each time. */
  public Task apply(Task task) {
    boolean limited = task.timeoutMillis() > 0 || timeoutMillis == 0;
    boolean saysRetries = task.retries() != Task.RUNS_RETRIES;
    return limited && saysRetries
        ? task
        : task.with(
            limited ? task.timeoutMillis() : timeoutMillis, saysRetries ? task.retries() : retries);
  }
}
