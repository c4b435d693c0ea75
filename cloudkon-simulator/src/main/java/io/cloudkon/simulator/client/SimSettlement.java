package io.cloudkon.simulator.client;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;

/** Gives a final result, LOST or CANCELLED, to tasks that never got one from a worker. */
final class SimSettlement {
  private final World world;
  private final SimRun run;
  private final SimJournal journal;
  private final Measures measures;

  SimSettlement(World world, SimRun run, SimJournal journal, Measures measures) {
    this.world = world;
    this.run = run;
    this.journal = journal;
    this.measures = measures;
  }

  /** Makes tasks LOST for which no result can come any more. */
  void lostForGood(int[] ordinals) {
    for (int ordinal : ordinals) {
      ended(ordinal, TaskStatus.LOST);
    }
  }

  /**
   * Gives every task of a cancelled run that has no result the status CANCELLED, or LOST if it is
   * known to be lost.
   */
  void settle() {
    for (int ordinal = 0; ordinal < run.tasks().size(); ordinal++) {
      if (!journal.results().get(ordinal)) {
        TaskStatus status = journal.lost().get(ordinal) ? TaskStatus.LOST : TaskStatus.CANCELLED;
        ended(ordinal, status);
      }
    }
  }

  private void ended(int ordinal, TaskStatus status) {
    journal.result(ordinal);
    world.witness().finalResult(run, ordinal, status);
    measures.ended(status, world.timeline().now());
  }
}
