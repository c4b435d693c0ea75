package io.cloudkon.client.report;

import org.jspecify.annotations.Nullable;

/**
 * The span from the first start of a run's tasks to their last finish, on the client's clock. Not
 * thread safe: {@link RunStatistics} guards it.
 */
final class TaskSpan {
  private long firstStarted = Long.MAX_VALUE;
  private long lastFinished = Long.MIN_VALUE;

  /** Adds a task that ran. */
  void accept(StageStamps stamps) {
    firstStarted = Math.min(firstStarted, stamps.started());
    lastFinished = Math.max(lastFinished, stamps.finished());
  }

  /**
   * The seconds from a time to the first start.
   *
   * @param micros epoch microseconds
   * @return null if no task has run, or one started before that time
   */
  @Nullable Double secondsToFirstStart(long micros) {
    return firstStarted == Long.MAX_VALUE || firstStarted < micros
        ? null
        : (Double) ((firstStarted - micros) / 1e6);
  }

  /**
   * The seconds from the last finish to a time.
   *
   * @param micros epoch microseconds
   * @return null if no task has run
   */
  @Nullable Double secondsFromLastFinish(long micros) {
    return lastFinished == Long.MIN_VALUE
        ? null
        : (Double) (Math.max(0, micros - lastFinished) / 1e6);
  }
}
