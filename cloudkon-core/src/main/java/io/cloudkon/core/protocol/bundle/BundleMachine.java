package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * A received bundle in a worker. It keeps the protocol's order: first the response queue accepts
 * the results, then the claim is DONE, then the message is deleted. A task is recorded only after
 * its result was accepted, and past its lease the bundle starts and sends nothing. In at-least-once
 * there is no claim, but everything else is the same. Pure; used by one thread at a time.
 */
public final class BundleMachine {
  /** How long a next owner waits, to see that this one has taken its attempt back. */
  private static final long SURVIVAL_MILLIS = 2_000;

  private final int receives;
  private final BundleSettings settings;
  private final BundleStage stage = new BundleStage();
  private final BundleClaim claim;
  private final TaskLedger tasks = new TaskLedger();
  private final Turns turns;
  private final Retries retries;
  private final RetryPlace retryPlace;
  private final HandOff handOff;

  private final Leaving leaving = new Leaving();
  private final SickRelease sick;
  private final GivingUp givingUp = new GivingUp();
  private final Outbox outbox;
  private final Ownership ownership;
  private final Completion completion;
  private final MessageLease message;

  /**
   * A bundle that was just received.
   *
   * @param received the bundle
   * @param receives how often its message was received, including this time
   * @param owner this worker
   * @param nonce the nonce of this receive
   * @param hiddenSince the earliest time at which its message was hidden
   */
  public BundleMachine(
      Bundle received,
      int receives,
      BundleSettings settings,
      String owner,
      String nonce,
      Moment hiddenSince) {
    this.sick = new SickRelease(received.header().bundle());
    this.handOff = new HandOff(received.header().bundle());
    Consistency consistency = received.header().consistency();
    boolean oneClaim = !received.header().claimsTasks();
    this.receives = receives;
    this.settings = settings;
    this.claim = new BundleClaim(received.header(), settings.lease(), owner, nonce);
    this.turns = new Turns(consistency, Positions.range(0, received.tasks().size()), tasks, claim);
    this.message = new MessageLease(settings.lease(), hiddenSince);
    this.retries = Retries.of(consistency, received.tasks(), settings.retry());
    this.retryPlace =
        new RetryPlace(
            received.header().bundle(), oneClaim && consistency == Consistency.EXACTLY_ONCE);
    this.outbox = new Outbox(tasks, claim, givingUp, settings.reply());
    this.ownership =
        new Ownership(received, settings.attempts(), stage, claim, tasks, turns, leaving, givingUp);
    this.completion = new Completion(consistency, tasks, retries, givingUp, leaving, sick, claim);
  }

  public BundlePhase phase() {
    return stage.phase();
  }

  /**
   * Whether it is work of this worker: its claim was granted or it needs none, or an acquisition
   * that was not answered may have taken effect.
   */
  public boolean isWork(Moment now) {
    return stage.phase().granted() || (stage.is(BundlePhase.CLAIMING) && claim.mayBeMine(now));
  }

  /** The claim's attempt; 1 if there is no claim. */
  public int attempt() {
    return claim.attempt();
  }

  /** The number of failed tries of a task, including those in bundles before this one. */
  public int tried(int position) {
    return retries.tried(position);
  }

  /** The remaining time of its claim's lease in milliseconds, without deduction of the margin. */
  public long leaseLeft(Moment now) {
    return claim.leaseLeft(now);
  }

  /**
   * Whether its tasks run one by one, in one slot; a worker runs only one such bundle at a time.
   */
  public boolean oneByOne() {
    return turns.oneByOne() && stage.is(BundlePhase.RUNNING);
  }

  /**
   * The number of tasks that wait for a slot and may start; only the next one if they run one by
   * one.
   */
  public int pendingCount() {
    return stage.is(BundlePhase.RUNNING) ? turns.waiting() : 0;
  }

  /** Processes an event and returns the effects. */
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    switch (event) {
      case BundleEvent.Begin begin -> ownership.begin(receives, begin.startsAhead(), now);
      case BundleEvent.AcquireRefused refusal -> ownership.notAllowed(refusal.hiddenMillis(), now);
      case BundleEvent.OfClaim answer -> ownership.follow(claim.on(answer, now), now);
      case BundleEvent.Finished finished -> finished(finished, now);
      case BundleEvent.Interrupted interrupted -> turns.interrupted(interrupted);
      case BundleEvent.OfDelivery delivery -> delivered(delivery);
      case BundleEvent.Postpone postpone -> postpone();
      case BundleEvent.Deleted deleted -> stage.deleted();
      case BundleEvent.RunClosed closed -> ownership.runClosed(now);
      case BundleEvent.HandOff wanted -> handOff(now);
      case BundleEvent.GiveBack giveBack -> stage.giveBack(giveBack.hiddenMillis());
      case BundleEvent.RetryElsewhere elsewhere -> retryPlace.elsewhere(elsewhere.wanted());
      case BundleEvent.AttemptDied died -> attemptCounts(false, now);
      case BundleEvent.KilledByGuard killed -> attemptCounts(true, now);
      case BundleEvent.Sick found -> {
        sick.because(found);
        leaving.hideAtLeast(found.hiddenMillis());
        drain();
      }
      case BundleEvent.SickNoted noted -> sick.noted(noted.workers());
      case BundleEvent.SickNoteFailed failed -> sick.notNoted();
      case BundleEvent.Drain drain -> drain();
      case BundleEvent.Tick tick -> tick(now);
    }
    settle(now);
    return stage.take();
  }

  /**
   * Takes tasks for a slot; they count as running from then on.
   *
   * @param max the maximum number of tasks
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   * @param out receives the effects
   */
  public Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    if (!stage.is(BundlePhase.RUNNING) || !claim.valid(now)) {
      return Positions.none();
    }
    List<ClaimEffect> wanted = new ArrayList<>();
    Positions taken = turns.take(max, startsAhead, now, wanted);
    ownership.follow(wanted, now);
    out.addAll(stage.take());
    return taken;
  }

  // ---- events

  private void finished(BundleEvent.Finished finished, Moment now) {
    outbox.add(finished.bytes(), now);
    Positions again = retries.again(finished.failed(), now);
    tasks.finished(finished.tasks().minus(again));
    tasks.setAside(again);
  }

  private void delivered(BundleEvent.OfDelivery delivery) {
    outbox.on(delivery);
    switch (delivery) {
      case BundleEvent.ResultsAccepted accepted -> leaving.deliverable();
      case BundleEvent.Undeliverable nowhere -> {
        // As long as a task runs, delivery is tried again.
        if (stage.phase().works()) {
          leaving.undeliverable();
          drainHidden(nowhere.hiddenMillis());
        }
      }
      case BundleEvent.ChildRefused refusal -> refused(refusal.hiddenMillis());
      case BundleEvent.DeadRefused refusal -> refused(refusal.hiddenMillis());
      case BundleEvent.ResultsFailed _,
          BundleEvent.ChildAccepted _,
          BundleEvent.ChildFailed _,
          BundleEvent.DeadAccepted _,
          BundleEvent.DeadFailed _ -> {}
    }
  }

  /** Leaves the remaining messages to its next owner. */
  private void refused(long millis) {
    leaving.refused();
    drainHidden(millis);
  }

  /** Lets running tasks finish and then gives the bundle back. */
  private void drainHidden(long millis) {
    leaving.hide(millis);
    stage.drain();
  }

  private void handOff(Moment now) {
    if (!stage.is(BundlePhase.RUNNING)
        || !claim.exists()
        || turns.oneByOne()
        || !claim.valid(now)) {
      return;
    }
    Positions tried = retries.tried();
    if (tasks.nothingRuns() && tried.isEmpty()) {
      stage.move(Trigger.DRAIN);
    } else {
      ownership.follow(handOff.share(tried, tasks, turns, claim, now), now);
    }
  }

  private void drain() {
    leaving.drain();
    stage.giveBack(0);
    stage.drain();
  }

  private void attemptCounts(boolean survived, Moment now) {
    stage.drain();
    if (stage.is(BundlePhase.DRAINING)) {
      ownership.follow(claim.attemptCounts(survived), now);
      leaving.hideAtLeast(survived ? SURVIVAL_MILLIS : 0);
    }
  }

  private void postpone() {
    if (oneByOne()) {
      drainHidden(settings.lease().lease());
    }
  }

  private void tick(Moment now) {
    ownership.follow(claim.tick(now), now);
    if (!stage.is(BundlePhase.CLOSED) && !stage.is(BundlePhase.DELETING)) {
      message.extend(now, stage.effects());
    }
  }

  // ---- what follows

  /** Checks the state of everything and performs what is due. */
  private void settle(Moment now) {
    if (!stage.phase().works() || !claim.valid(now)) {
      return;
    }
    if (completion.stranded()) {
      follow(completion.withoutResults(), now);
      return;
    }
    tryAgain(now);
    sendResults(now);
    if (!leaving.isRefused()) {
      outbox.sendChildren(retries::someTried, stage.effects());
    }
    follow(completion.next(stage.phase(), stage.effects()), now);
  }

  private void tryAgain(Moment now) {
    if (!retries.noneWaits()) {
      boolean mayMove = stage.is(BundlePhase.RUNNING) && !turns.oneByOne();
      ownership.follow(retryPlace.tryAgain(retries, tasks, claim, mayMove, now), now);
    }
  }

  private void sendResults(Moment now) {
    boolean more = stage.is(BundlePhase.RUNNING) && !tasks.nothingPending() && !turns.oneByOne();
    outbox.tell(tasks.nothingRuns() && !more, now, stage.effects());
  }

  private void follow(Completion.Step step, Moment now) {
    switch (step) {
      case Completion.Step.Stay stay -> {}
      case Completion.Step.End end -> ownership.settled(now);
      case Completion.Step.Release release -> ownership.release(release, now);
      case Completion.Step.GiveUp giveUp -> {
        ownership.giveUp(giveUp.verdict(), now);
        sendResults(now);
      }
    }
  }
}
