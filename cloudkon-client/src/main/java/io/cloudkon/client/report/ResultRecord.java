package io.cloudkon.client.report;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.Map;

/**
 * The part of a line of {@code results.jsonl} that a resumed run needs. Immutable.
 *
 * @param index the task's place in the run, from 0
 * @param task its id
 * @param status how it ended
 * @param error why, in one line; empty if it succeeded
 * @param stderr the kept part of its standard error; read only if it did not succeed
 * @param ranks the worker and the outcome of each rank of an HPC job; standard output is not read,
 *     and standard error only if the job did not succeed
 * @param worker the worker that reported it; empty if none did
 * @param attempt the claim's attempt that it comes from
 * @param tries how many tries that attempt made
 * @param files the files that it brought back
 * @param outputCut whether some of its output was cut
 * @param stamps epoch microseconds on the client's clock
 */
public record ResultRecord(
    int index,
    String task,
    TaskStatus status,
    String error,
    String stderr,
    List<RankResult> ranks,
    String worker,
    int attempt,
    int tries,
    FileCounts files,
    boolean outputCut,
    Map<Stamp, Long> stamps) {
  public ResultRecord {
    ranks = List.copyOf(ranks);
  }

  /**
   * Whether a result with this status and worker is that of a task that was cancelled before it
   * began, so that an earlier result stands.
   */
  public static boolean neverRan(String status, String worker) {
    return status.equals(TaskStatus.CANCELLED.name()) && worker.isEmpty();
  }

  /** Whether a worker ran it. */
  boolean ran() {
    return status != TaskStatus.LOST && status != TaskStatus.CANCELLED && !worker.isEmpty();
  }

  long at(Stamp stamp) {
    Long at = stamps.get(stamp);
    if (at == null && stamp == Stamp.STAGE_BEGUN) {
      at = stamps.get(Stamp.STARTED);
    }
    return at == null ? 0 : at;
  }

  /** The stamps that it shares with the other tasks of its bundle. */
  BundleTimes times() {
    return new BundleTimes(
        at(Stamp.SUBMITTED),
        at(Stamp.SEND_BEGUN),
        at(Stamp.SENT),
        at(Stamp.RECEIVE_BEGUN),
        at(Stamp.RECEIVED),
        at(Stamp.CLAIM_BEGUN),
        at(Stamp.CLAIMED),
        at(Stamp.REPLY_BEGUN),
        at(Stamp.REPLIED),
        at(Stamp.COLLECT_BEGUN),
        at(Stamp.COLLECTED));
  }
}
