package io.cloudkon.worker.gang;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;

/** What the machines are told of a rank's end. */
final class EndedRanks {
  private EndedRanks() {}

  /** A rank that its worker ended travels as CANCELLED: nothing else ends so. */
  static GangEvent.Ended news(RankEnd end) {
    return new GangEvent.Ended(
        end.job(),
        end.attempt(),
        end.rank(),
        end.status().equals(TaskStatus.SUCCEEDED.name()),
        end.status().equals(TaskStatus.CANCELLED.name()));
  }
}
