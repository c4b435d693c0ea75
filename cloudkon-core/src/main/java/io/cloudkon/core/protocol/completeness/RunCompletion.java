package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.protocol.completeness.CompletenessPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides when a run is complete, and when a LOST becomes final: after a grace period in which
 * receives have returned nothing, so that no real result can still be on its way. Pure; used by one
 * thread at a time.
 */
final class RunCompletion {
  private final CompletenessSettings settings;
  private final TaskAccount account;
  private final Quiet quiet;
  private final LostSoFar lostSoFar;
  private CompletenessPhase phase = CompletenessPhase.TABLE.start();

  /** How long receives must have returned nothing, in milliseconds. */
  private long grace;

  RunCompletion(
      CompletenessSettings settings, TaskAccount account, Quiet quiet, LostSoFar lostSoFar) {
    this.settings = settings;
    this.account = account;
    this.quiet = quiet;
    this.lostSoFar = lostSoFar;
    this.grace = settings.grace();
  }

  CompletenessPhase phase() {
    return phase;
  }

  /** Records that every task was sent. */
  void allSent() {
    move(Trigger.ALL_SENT);
  }

  /**
   * Makes the grace period longer, because another client held the run and may receive once more.
   */
  void resumed() {
    grace = settings.grace() + settings.former();
  }

  /** From now on, a LOST also waits for the run's former response queues. */
  void waitFor(QuietElsewhere formerQueues) {
    quiet.alsoWaitFor(formerQueues);
  }

  /** Records that something has arrived that may be a late result. */
  void arrived(Moment now) {
    quiet.disturbed(now);
  }

  /** Records a receive that began at the given moment and returned that many messages. */
  void received(int messages, Moment begun, Moment now) {
    quiet.received(messages, begun, now);
    lostSoFar.received(messages, begun, now);
  }

  /** Records a failed receive, which may have hidden messages. */
  void receiveFailed(Moment now) {
    quiet.disturbed(now);
    lostSoFar.failed(now);
  }

  /**
   * The effects that follow from the current state.
   *
   * @param tasks the number of tasks in bundles so far
   */
  List<CompletenessEffect> follow(int tasks, Moment now) {
    return switch (phase) {
      case COMPLETE -> List.of();
      case SENDING -> settings.openEnded() ? giveUpSoFar(now) : List.of();
      case COLLECTING, GRACE -> {
        if (account.finalCount() == tasks) {
          move(Trigger.ALL_FINAL);
          yield List.of(new CompletenessEffect.Complete());
        }
        if (phase == CompletenessPhase.COLLECTING
            && account.finalCount() + account.provisionalCount() == tasks) {
          move(Trigger.ONLY_LOST_LEFT);
        }
        yield phase == CompletenessPhase.GRACE && quiet.lasted(grace, now)
            ? giveUpWaiting()
            : List.of();
      }
    };
  }

  private List<CompletenessEffect> giveUpSoFar(Moment now) {
    int[] lost = lostSoFar.take(grace, now, account::isProvisional);
    IntStream.of(lost).forEach(account::makeFinal);
    return lost.length == 0 ? List.of() : List.of(new CompletenessEffect.FinalLost(lost));
  }

  private List<CompletenessEffect> giveUpWaiting() {
    move(Trigger.GRACE_OVER);
    int[] lost = account.provisional();
    IntStream.of(lost).forEach(account::makeFinal);
    return List.of(new CompletenessEffect.FinalLost(lost), new CompletenessEffect.Complete());
  }

  private void move(Trigger trigger) {
    phase = CompletenessPhase.TABLE.next(phase, trigger);
  }
}
