package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.worker.execute.TaskOutcome;
import org.jspecify.annotations.Nullable;

/** Makes the ends of ranks, and converts them into events for the state machines. */
final class EndedRanks {
  /** The status of a rank that never began, because its worker drains or cannot start it. */
  static final String LEFT = "LEFT";

  /** The status of a rank that ended together with others of its program. */
  static final String ENDED = "ENDED";

  private static final byte[] NOTHING = {};

  /**
   * The maximum number of bytes of each of a rank's outputs that its manager gets, because they are
   * held in memory, and a report that takes too long to transfer delays the next heartbeat.
   */
  static final int RANK_BYTES = 8 << 20;

  /** The maximum number of characters of an error, of which a job may have thousands. */
  private static final int ERROR_CHARS = 4_096;

  private EndedRanks() {}

  /**
   * The end of a rank. Includes whole outputs if the job may show them as its own, otherwise this
   * rank's share of the output that the job may keep.
   *
   * @param captureBytes how many bytes of each output the job may keep
   */
  static RankEnd withOutputs(
      StartRanks start, int rank, TaskOutcome outcome, String status, int captureBytes) {
    Spools spools = outcome.spools();
    byte[] stdout = Spools.head(outcome.stdout(), spools.stdout(), RANK_BYTES);
    byte[] stderr = Spools.head(outcome.stderr(), spools.stderr(), RANK_BYTES);
    spools.release();
    RankEnd whole =
        new RankEnd(
            start.job(),
            start.attempt(),
            rank,
            status,
            outcome.exitCode(),
            stdout,
            outcome.stdoutBytes(),
            stderr,
            outcome.stderrBytes(),
            Outputs.head(outcome.output(), RANK_BYTES),
            outcome.outputBytes(),
            Outputs.head(outcome.error(), ERROR_CHARS),
            outcome.startedMicros(),
            Math.max(outcome.startedMicros(), outcome.finishedMicros()),
            outcome.stuck());
    boolean failed =
        outcome.status() == TaskStatus.FAILED || outcome.status() == TaskStatus.TIMED_OUT;
    boolean shown = rank == 0 || failed;
    return shown ? whole : whole.keeping(JobResults.share(captureBytes, start.size()));
  }

  /** The end of a rank of which nothing is known but its reason. */
  static RankEnd withoutOutputs(
      StartRanks start,
      int rank,
      String status,
      @Nullable String error,
      long begun,
      long finished,
      boolean stuck) {
    return new RankEnd(
        start.job(),
        start.attempt(),
        rank,
        status,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        Outputs.head(String.valueOf(error), ERROR_CHARS),
        begun,
        finished,
        stuck);
  }

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
