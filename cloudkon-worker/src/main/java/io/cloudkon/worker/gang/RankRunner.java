package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Task;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RankPlace;
import io.cloudkon.worker.execute.Surroundings;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.input.GivenUpException;

/** Runs single ranks, as {@link TaskRunner} does. Thread safe. */
interface RankRunner {

  /** Whether it runs tasks of this kind at all. */
  boolean allows(Task task);

  /**
   * Runs one rank and returns when it has ended.
   *
   * @throws TaskInterruptedException if it was killed before it ended: it has no outcome then
   * @throws GivenUpException if it did not start, as its worker is sick
   */
  TaskOutcome run(Surroundings around, Task task, Interruption interruption, RankPlace place)
      throws TaskInterruptedException, GivenUpException;

  /** The worker's own. */
  static RankRunner of(TaskRunner runner, Health health) {
    return new RankRunner() {
      @Override
      public boolean allows(Task task) {
        return runner.allows(task);
      }

      @Override
      public TaskOutcome run(
          Surroundings around, Task task, Interruption interruption, RankPlace place)
          throws TaskInterruptedException, GivenUpException {
        try {
          return runner.run(around, task, interruption, place);
        } catch (NotStartedException e) {
          if (health.isSick(e.suspicion(), e.probe())) {
            throw new GivenUpException();
          }
          return e.outcome();
        }
      }
    };
  }
}
