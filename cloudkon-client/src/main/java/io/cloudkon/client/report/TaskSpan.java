package io.cloudkon.client.report;

import org.jspecify.annotations.Nullable;

/**
 * From the first start of a task of a run to the last finish of one, by the client's clock. Not
 * thread safe: {@link RunStatistics} guards it.
 */
final class TaskSpan {
  private long firstStarted = Long.MAX_VALUE;
  private long lastFinished = Long.MIN_VALUE;

  /** A task ran. */
  void accept(StageStamps stamps) {
    firstStarted = Math.min(firstStarted, stamps.started());
    lastFinished = Math.max(lastFinished, stamps.finished());
  }

  /**
   * Seconds from then to the first start.
   *
   * @param micros epoch microseconds
   * @return null if no task has run, or one had started before then
   */
  @Nullable Double secondsToFirstStart(long micros) {
    return firstStarted == Long.MAX_VALUE || firstStarted < micros
        ? null
        : (Double) ((firstStarted - micros) / 1e6);
  }

  /**
   * Seconds from the last finish to then.
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
