package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;

/**
 * All 14 stamps of one task, epoch microseconds on the client's clock, in order: no {@link Stage}
 * is negative, and the stages add up to the latency. Immutable.
 *
 * @param bundle the stamps that it shares with the other tasks of its bundle
 * @param stageBegun when its slot began to make its files ready
 * @param started when the task itself started
 * @param finished when the task itself finished
 */
public record StageStamps(BundleTimes bundle, long stageBegun, long started, long finished) {
  public StageStamps {
    started = Math.clamp(started, bundle.claimed(), bundle.replyBegun());
    finished = Math.clamp(finished, started, bundle.replyBegun());
    stageBegun = Math.clamp(stageBegun, bundle.claimed(), started);
  }

  /** The stamps of a task without files. */
  public StageStamps(BundleTimes bundle, long started, long finished) {
    this(bundle, started, started, finished);
  }

  /**
   * The stamps of one result.
   *
   * @param offsetMicros the clock of the worker that stamped the result, minus the client's
   */
  public static StageStamps of(BundleTimes bundle, TaskResult result, long offsetMicros) {
    long started = result.startedMicros() - offsetMicros;
    return new StageStamps(
        bundle,
        started - result.usage().stagingMicros(),
        started,
        result.finishedMicros() - offsetMicros);
  }

  /** The value of one stamp. */
  public long at(Stamp stamp) {
    return switch (stamp) {
      case SUBMITTED -> bundle.submitted();
      case SEND_BEGUN -> bundle.sendBegun();
      case SENT -> bundle.sent();
      case RECEIVE_BEGUN -> bundle.receiveBegun();
      case RECEIVED -> bundle.received();
      case CLAIM_BEGUN -> bundle.claimBegun();
      case CLAIMED -> bundle.claimed();
      case STAGE_BEGUN -> stageBegun;
      case STARTED -> started;
      case FINISHED -> finished;
      case REPLY_BEGUN -> bundle.replyBegun();
      case REPLIED -> bundle.replied();
      case COLLECT_BEGUN -> bundle.collectBegun();
      case COLLECTED -> bundle.collected();
    };
  }
}
