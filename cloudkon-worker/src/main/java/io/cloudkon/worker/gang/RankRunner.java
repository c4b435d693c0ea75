package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Task;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;

/** Runs single ranks, as {@link TaskRunner} does. Thread safe. */
interface RankRunner {

  /** Whether it runs tasks of this kind. */
  boolean allows(Task task);

  /**
   * Runs one rank and returns when it has ended.
   *
   * @throws TaskInterruptedException if it was killed before it ended; then it has no outcome
   * @throws NotStartedException if it failed before its first instruction, through no fault of its
   *     own
   */
  TaskOutcome run(TaskEnvironment around, Task task, Interruption interruption, RankPlace place)
      throws TaskInterruptedException, NotStartedException;

  /** Adapts the worker's runner. */
  static RankRunner of(TaskRunner runner) {
    return new RankRunner() {
      @Override
      public boolean allows(Task task) {
        return runner.allows(task);
      }

      @Override
      public TaskOutcome run(
          TaskEnvironment around, Task task, Interruption interruption, RankPlace place)
          throws TaskInterruptedException, NotStartedException {
        return runner.run(around, task, interruption, place);
      }
    };
  }
}
