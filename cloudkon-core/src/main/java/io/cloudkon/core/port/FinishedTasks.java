package io.cloudkon.core.port;

/**
 * The number of a run's tasks that workers have finished, by their own counts. It is approximate: a
 * task that two workers ran counts twice, and tasks that a worker had not reported before it died
 * do not count. Immutable.
 *
 * @param tasks the number of finished tasks; an HPC job counts as one
 * @param failed the number of them that did not succeed
 * @param perSecond the recent rate in tasks per second; 0 if none finish any more
 */
public record FinishedTasks(long tasks, long failed, double perSecond) {
  /** No tasks. */
  public static final FinishedTasks NONE = new FinishedTasks(0, 0, 0);

  /** The sum of both. */
  public FinishedTasks plus(FinishedTasks other) {
    return new FinishedTasks(
        tasks + other.tasks, failed + other.failed, perSecond + other.perSecond);
  }
}
