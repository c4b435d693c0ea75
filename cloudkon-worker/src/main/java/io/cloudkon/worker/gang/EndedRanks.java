package io.cloudkon.worker.gang;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;

/** The reports to the machines about the ends of ranks. */
final class EndedRanks {
  /** The status of a rank that never began, as its worker drains or cannot start it. */
  static final String LEFT = "LEFT";

  /** The status of a rank that ended with others of its program. */
  static final String ENDED = "ENDED";

  private EndedRanks() {}

  /** A rank that its worker ended travels as CANCELLED: nothing else ends so. */
  static GangEvent.Ended news(RankEnd end) {
    return new GangEvent.Ended(end.job(), end.attempt(), end.rank(), how(end.status()));
  }

  private static GangEvent.How how(String status) {
    if (status.equals(TaskStatus.SUCCEEDED.name())) {
      return GangEvent.How.WELL;
    }
    if (status.equals(TaskStatus.CANCELLED.name())) {
      return GangEvent.How.KILLED;
    }
    return switch (status) {
      case LEFT -> GangEvent.How.LEFT;
      case ENDED -> GangEvent.How.ENDED;
      default -> GangEvent.How.FAILED;
    };
  }
}
