package io.cloudkon.worker.service;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import java.util.Arrays;

/** Converts a try's outcome into the task's result. */
final class Outcomes {
  /**
   * The limit on an error message, because exception messages have none and a result must fit in a
   * message.
   */
  private static final int ERROR_CHARS = 4096;

  private Outcomes() {}

  /**
   * The result of a task that ran, with each output cut to what the run wants.
   *
   * @param tries the number of tries, including this one
   */
  static TaskResult result(Task task, TaskOutcome outcome, int captureBytes, int tries) {
    return new TaskResult(
            task.ordinal(),
            task.id(),
            outcome.status(),
            outcome.exitCode(),
            cut(outcome.stdout(), captureBytes),
            outcome.stdoutBytes(),
            cut(outcome.stderr(), captureBytes),
            outcome.stderrBytes(),
            cut(outcome.output(), captureBytes),
            outcome.outputBytes(),
            shortened(outcome.error()),
            outcome.startedMicros(),
            outcome.finishedMicros(),
            tries)
        .with(outcome.spools())
        .with(outcome.usage());
  }

  /**
   * The outcome of a task that was killed because its worker could start nothing while it ran, and
   * could again afterwards.
   */
  static TaskOutcome madeWorkerSick(TaskInterruptedException end, long nowMicros) {
    String reason =
        "its worker could not start any other task while it ran, and could again after it was"
            + " stopped; it is not tried again";
    return end.asFailed(reason, nowMicros);
  }

  /** The result of a task that never started because it lacked something that it needs. */
  static TaskResult lacking(Task task, String reason, long nowMicros, int tries) {
    byte[] nothing = {};
    return new TaskResult(
        task.ordinal(),
        task.id(),
        TaskStatus.FAILED,
        0,
        nothing,
        0,
        nothing,
        0,
        nothing,
        0,
        shortened(reason),
        nowMicros,
        nowMicros,
        tries);
  }

  /** The result of a task without an outcome, because the worker itself failed to run it. */
  static TaskResult workerFailed(Task task, Throwable why, long nowMicros, int tries) {
    String reason = "its worker could not run it: " + why.getClass().getName();
    return lacking(task, reason, nowMicros, tries);
  }

  private static String shortened(String error) {
    return error.length() <= ERROR_CHARS ? error : error.substring(0, ERROR_CHARS) + "...";
  }

  private static byte[] cut(byte[] bytes, int limit) {
    return bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit);
  }
}
