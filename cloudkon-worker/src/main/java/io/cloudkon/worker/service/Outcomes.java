package io.cloudkon.worker.service;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.worker.execute.TaskOutcome;
import java.util.Arrays;

/** A try's outcome as the task's result. */
final class Outcomes {
  private Outcomes() {}

  /** Keeps no more of each output than the run wants. */
  static TaskResult result(Task task, TaskOutcome outcome, int captureBytes) {
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
        outcome.error(),
        outcome.startedMicros(),
        outcome.finishedMicros(),
        1);
  }

  private static byte[] cut(byte[] bytes, int limit) {
    return bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit);
  }
}
