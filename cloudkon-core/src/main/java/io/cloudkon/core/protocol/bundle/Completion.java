package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import java.util.List;

/** Decides whether this worker is done with a bundle of which nothing runs any more, and how. */
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

  /** What follows. */
  sealed interface Step {
    /** Something is left to do here. */
    record Stay() implements Step {}

    /** Every task is settled. */
    record End() implements Step {}

    /**
     * It is given back.
     *
     * @param unstarted tasks whose starts are taken back
     * @param runsOut whether nobody releases the claim: what it is left with is written, and its
     *     lease runs out
     */
    record Release(Positions unstarted, boolean runsOut) implements Step {}

    /** Nobody is to try what is left again. */
    record GiveUp(Verdict verdict) implements Step {}
  }

  private static final Step STAY = new Step.Stay();

  /** Whether its results can go nowhere, and nothing is left that could change that. */
  boolean stranded() {
    return leaving.isUndeliverable() && tasks.nothingRuns() && tasks.sendingNothing();
  }

  /**
   * Gives it back without the results that can go nowhere. At-most-once cannot release: its tasks
   * would start again. There the claim is left to run out, and who succeeds it reports them LOST.
   */
  Step.Release withoutResults() {
    boolean atMostOnce = consistency == Consistency.AT_MOST_ONCE;
    Positions neverStarted = tasks.pending();
    Positions ended = tasks.finishedToPending(); // nobody died of them
    return new Step.Release(atMostOnce ? neverStarted : ended, atMostOnce);
  }

  /**
   * What follows now.
   *
   * @param out takes what is to be sent or noted before it can go on
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
    if (givingUp.settled(out)
        && !nothingToRun
        && phase == BundlePhase.DRAINING
        && sick.isNoted(out)) {
      return sick.tooOften() ? giveUp() : release(phase);
    }
    return STAY;
  }

  /** What was taken to settle losses is released by nobody: its lease runs out. */
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
