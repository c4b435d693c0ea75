package io.cloudkon.worker.service;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;

/**
 * The time in which a slot prepares a task's files: it fetches them, or copies or restores shipped
 * files. Begins when the slot has taken the task, and ends when its command could start. Used by
 * the slot and the thread that it waits for.
 */
final class Staging implements AutoCloseable {
  private final WorkerStats stats;
  private final long begunMicros;
  private volatile boolean under;

  private Staging(WorkerStats stats, long begunMicros, boolean under) {
    this.stats = stats;
    this.begunMicros = begunMicros;
    this.under = under;
  }

  /**
   * Begins the time.
   *
   * @param needed whether the task has files of its own or shipped files
   */
  static Staging begin(WorkerStats stats, TimeSource time, boolean needed) {
    if (!needed) {
      return new Staging(stats, Long.MAX_VALUE, false);
    }
    stats.stagingBegun();
    return new Staging(stats, time.wallMicros(), true);
  }

  /** Whether the slot prepares files for a task of this bundle. */
  static boolean isOf(BundleInHand inHand, Task task) {
    return switch (task.work().kind()) {
      case NOOP, SLEEP -> false;
      case EXEC, JAVA ->
          !inHand.header().ships().isEmpty()
              || !task.files().inputs().isEmpty()
              || task.work() instanceof Work.Stored;
    };
  }

  /** The task's environment, in which the end of this time is told if it has begun. */
  TaskEnvironment told(TaskEnvironment around) {
    return under ? around.telling(this::end) : around;
  }

  /** Ends the time, because all files are ready; may be called twice. */
  void end() {
    if (under) {
      under = false;
      stats.stagingEnded();
    }
  }

  /** The result with the duration of the staging. */
  TaskResult stamped(TaskResult result) {
    return begunMicros < result.startedMicros()
        ? result.with(result.usage().staged(result.startedMicros() - begunMicros))
        : result;
  }

  @Override
  public void close() {
    end();
  }
}
