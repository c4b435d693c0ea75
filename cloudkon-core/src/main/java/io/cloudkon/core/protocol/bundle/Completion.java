package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import java.util.List;

/** Decides what follows when no task of a bundle runs any more. */
final class Completion {
  private final Consistency consistency;
  private final TaskLedger tasks;
  private final Retries retries;
  private final GivingUp givingUp;
  private final Leaving leaving;
  private final SickRelease sick;
  private final BundleClaim claim;

  Completion(
      Consistency consistency,
      TaskLedger tasks,
      Retries retries,
      GivingUp givingUp,
      Leaving leaving,
      SickRelease sick,
      BundleClaim claim) {
    this.consistency = consistency;
    this.tasks = tasks;
    this.retries = retries;
    this.givingUp = givingUp;
    this.leaving = leaving;
    this.sick = sick;
    this.claim = claim;
  }

  /** The next step. */
  sealed interface Step {
    /** Something is left to do here. */
    record Stay() implements Step {}

    /** Every task is settled. */
    record End() implements Step {}

    /**
     * It is given back.
     *
     * @param unstarted the tasks whose starts are taken back
     * @param runsOut whether the claim is not released: its final content is written, and its lease
     *     expires
     */
    record Release(Positions unstarted, boolean runsOut) implements Step {}

    /** The remaining tasks are not to be tried again. */
    record GiveUp(Verdict verdict) implements Step {}
  }

  private static final Step STAY = new Step.Stay();

  /** Whether its results cannot be delivered, and no task is left that could still change this. */
  boolean stranded() {
    return leaving.isUndeliverable() && tasks.nothingRuns() && tasks.sendingNothing();
  }

  /**
   * Gives the bundle back without the undeliverable results. At-most-once cannot release the claim,
   * because the tasks would start again. There the claim expires, and its next owner reports the
   * tasks as LOST.
   */
  Step.Release withoutResults() {
    boolean atMostOnce = consistency == Consistency.AT_MOST_ONCE;
    Positions neverStarted = tasks.pending();
    Positions ended = tasks.finishedToPending(); // nobody died of them
    return new Step.Release(atMostOnce ? neverStarted : ended, atMostOnce);
  }

  /**
   * Determines the next step.
   *
   * @param out receives the effects that are required before it
   */
  Step next(BundlePhase phase, List<BundleEffect> out) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return STAY;
    }
    boolean nothingToRun = tasks.nothingPending() && retries.noneWaits();
    boolean nothingToSend = !givingUp.unsent() && claim.allChildrenSent();
    if (nothingToRun && nothingToSend) {
      return new Step.End();
    }
    if (leaving.isRefused()) {
      return release(phase);
    }
    if (!nothingToRun && phase == BundlePhase.DRAINING && sick.isNoted(out)) {
      return sick.tooOften() ? giveUp() : release(phase);
    }
    return STAY;
  }

  /** Releases the claim, except one that was taken to settle losses, whose lease expires. */
  private Step release(BundlePhase phase) {
    boolean atMostOnce = consistency == Consistency.AT_MOST_ONCE;
    return new Step.Release(
        atMostOnce ? tasks.pending() : Positions.none(), phase == BundlePhase.LOSING);
  }

  private Step giveUp() {
    Positions pending = tasks.pending();
    tasks.handOn(pending);
    return new Step.GiveUp(sick.verdict(pending, retries.stop(), claim.exists()));
  }
}
