package io.cloudkon.simulator;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.List;

/**
 * Checks, when all runs are over, that nothing is left of them and that every task was counted
 * once.
 */
final class FinalAccount {
  private final World world;
  private final List<SimRun> runs;
  private final Measures measures;

  FinalAccount(World world, List<SimRun> runs, Measures measures) {
    this.world = world;
    this.runs = List.copyOf(runs);
    this.measures = measures;
  }

  /** Checks that no queue, open run or object is left. */
  void nothingLeft() {
    if (!world.cloud().responses().isEmpty()) {
      throw new Violation(
          "response queues are left: %s",
          world.cloud().responses().stream().map(queue -> queue.name()).toList());
    }
    for (SimRun run : runs) {
      RunEntry entry = world.cloud().runs().current(run.id());
      if (entry.state() == RunEntry.State.OPEN || entry.leaseEnd() > entry.updatedMillis()) {
        throw new Violation("run %s is left %s, held by %s", run, entry.state(), entry.holder());
      }
    }
    if (world.cloud().blobs().left() > 0) {
      throw new Violation("%d objects are left in the bucket", world.cloud().blobs().left());
    }
  }

  /** Checks that the clients counted the outcomes that the witness saw. */
  void balances(Outcome outcome) {
    long tasks = 0;
    for (SimRun run : runs) {
      tasks += run.tasks().size();
    }
    for (TaskStatus status : TaskStatus.values()) {
      long seen = 0;
      for (SimRun run : runs) {
        seen += world.witness().count(run, status);
      }
      if (seen != measures.count(status)) {
        throw new Violation(
            "%d tasks were counted %s, and %d were seen", measures.count(status), status, seen);
      }
    }
    if (outcome.tasks() != tasks) {
      throw new Violation("%d of %d tasks were counted", outcome.tasks(), tasks);
    }
  }
}
