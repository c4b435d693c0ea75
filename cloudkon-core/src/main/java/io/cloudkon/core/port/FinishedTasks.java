package io.cloudkon.core.port;

/**
 * The number of a run's tasks that workers have finished, by their own counts. It is approximate:
 * what two workers ran counts twice, and what a worker had not reported before it died counts not
 * at all. Immutable.
 *
 * @param tasks that came to their end; an HPC job is one
 * @param failed how many of them did not succeed
 * @param perSecond how many a second, lately; 0 for those who finish none any more
 */
public record FinishedTasks(long tasks, long failed, double perSecond) {
  /** None. */
  public static final FinishedTasks NONE = new FinishedTasks(0, 0, 0);

  /** Both together. */
  public FinishedTasks plus(FinishedTasks other) {
    return new FinishedTasks(
        tasks + other.tasks, failed + other.failed, perSecond + other.perSecond);
  }
}
