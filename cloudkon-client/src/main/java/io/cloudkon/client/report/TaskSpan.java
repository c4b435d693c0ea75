package io.cloudkon.client.report;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a run's first task was submitted and started and its last one finished, on the
 * client's clock. Not thread safe: {@link RunStatistics} guards it.
 */
final class TaskSpan {
  private long firstSubmitted = Long.MAX_VALUE;
  private long firstStarted = Long.MAX_VALUE;
  private long lastFinished = Long.MIN_VALUE;

  /** Adds a task that ran. */
  void accept(StageStamps stamps) {
    firstSubmitted = Math.min(firstSubmitted, stamps.bundle().submitted());
    firstStarted = Math.min(firstStarted, stamps.started());
    lastFinished = Math.max(lastFinished, stamps.finished());
  }

  /**
   * The seconds from a time until the first task that ran was submitted.
   *
   * @param micros epoch microseconds
   * @return null if no task has run, or one was submitted before that time
   */
  @Nullable Double secondsToFirstSubmit(long micros) {
    return seconds(micros, firstSubmitted);
  }

  /**
   * The seconds from a time to the first start.
   *
   * @param micros epoch microseconds
   * @return null if no task has run, or one started before that time
   */
  @Nullable Double secondsToFirstStart(long micros) {
    return seconds(micros, firstStarted);
  }

  private static @Nullable Double seconds(long from, long first) {
    return first == Long.MAX_VALUE || first < from ? null : (Double) ((first - from) / 1e6);
  }

  /** The last finish, in epoch microseconds; empty if no task has run. */
  OptionalLong lastFinish() {
    return lastFinished == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(lastFinished);
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
