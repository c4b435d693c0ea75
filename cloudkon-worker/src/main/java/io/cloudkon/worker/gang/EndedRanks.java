package io.cloudkon.worker.gang;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;

/** Converts the ends of ranks into events for the state machines. */
final class EndedRanks {
  /** The status of a rank that never began, because its worker drains or cannot start it. */
  static final String LEFT = "LEFT";

  /** The status of a rank that ended together with others of its program. */
  static final String ENDED = "ENDED";

  private EndedRanks() {}

  /**
   * The event for the end of a rank. CANCELLED means that its worker killed the rank; nothing else
   * ends with that status.
   */
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
