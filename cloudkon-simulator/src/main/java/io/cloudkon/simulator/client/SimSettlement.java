package io.cloudkon.simulator.client;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;

/** Gives tasks their final result that never got one from a worker: LOST or CANCELLED. */
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

  /** Nothing more will come of these. */
  void lostForGood(int[] ordinals) {
    for (int ordinal : ordinals) {
      ended(ordinal, TaskStatus.LOST);
    }
  }

  /** Every task of a cancelled run without a result is CANCELLED, or LOST if it is known to be. */
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
