package io.cloudkon.worker.execute;

import io.cloudkon.core.model.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * A task was stopped from outside (lease lost, drain, cancel, a guard that missed the heartbeat),
 * so it has no outcome: nothing of it may be sent or recorded, except for a rank's output if its
 * job ends with a result. The message is the reason.
 */
public final class TaskInterruptedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final boolean stuck;
  private final boolean byGuard;
  private final transient @Nullable TaskOutcome unfinished;

  /** An interruption for this reason. */
  public TaskInterruptedException(String reason) {
    this(reason, false, false, null);
  }

  /** An interruption for this reason; {@code stuck} if the task could not be stopped. */
  public TaskInterruptedException(String reason, boolean stuck) {
    this(reason, stuck, false, null);
  }

  TaskInterruptedException(String reason, boolean stuck, @Nullable TaskOutcome unfinished) {
    this(reason, stuck, false, unfinished);
  }

  private TaskInterruptedException(
      String reason, boolean stuck, boolean byGuard, @Nullable TaskOutcome unfinished) {
    super(reason);
    this.stuck = stuck;
    this.byGuard = byGuard;
    this.unfinished = unfinished;
  }

  /** The worker's guard killed a command, which nobody asked for. */
  static TaskInterruptedException ofGuard() {
    return new TaskInterruptedException(
        "its guard killed it: the heartbeat was late, or the guard was killed", false, true, null);
  }

  /**
   * Whether the worker's guard killed it, because the worker stood still or the guard itself was
   * killed; the task may be the cause.
   */
  public boolean byGuard() {
    return byGuard;
  }

  /** Whether it could not be stopped and may still run. */
  public boolean stuck() {
    return stuck;
  }

  /** The outcome if the task is to have one after all: FAILED, with its output so far. */
  public TaskOutcome asFailed(String reason, long nowMicros) {
    TaskOutcome had = unfinished;
    return had == null
        ? TaskOutcome.plain(TaskStatus.FAILED, reason, nowMicros, nowMicros)
        : had.as(TaskStatus.FAILED, had.exitCode(), reason);
  }

  /** The output of a command so far, and how it ended; null if no command ran. */
  public @Nullable TaskOutcome unfinished() {
    return unfinished;
  }
}
