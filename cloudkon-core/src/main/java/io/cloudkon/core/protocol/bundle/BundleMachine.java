package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimMachine;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One received bundle in a worker. Keeps the protocol's order: results accepted by the response
 * queue, then the claim DONE, then the message deleted; a task is recorded only after its result
 * was accepted; past its lease it starts nothing and sends nothing. In at-least-once there is no
 * claim, and the rest is the same. Pure; used by one thread at a time.
 */
public final class BundleMachine {
  private final String bundle;
  private final Consistency consistency;
  private final Positions all;
  private final boolean oneClaim;
  private final LeaseSettings lease;
  private final @Nullable ClaimMachine claim;
  private final TaskLedger tasks = new TaskLedger();
  private final AttemptSettings attempts;
  private final Retries retries;
  private final int receives;
  private final Children children = new Children();
  private final HandOff handOff = new HandOff();
  private final List<BundleEffect> effects = new ArrayList<>();

  private BundlePhase phase = BundlePhase.TABLE.start();
  private boolean drainWanted;
  private boolean runClosed;
  private boolean oneByOne;

  private long hiddenMillis; // of its message, when it is given back
  private boolean undeliverable; // its results can go nowhere
  private boolean refused; // what is left of it may not be sent from here
  private final Unanswered unanswered;
  private final GivingUp givingUp = new GivingUp();
  private final SickRelease sick;
  private final Starts starts = new Starts();
  private final HeldResults held;
  private long extendAt;

  /**
   * A bundle that was just received.
   *
   * @param received the bundle
   * @param receives how often its message was received, this time included
   * @param owner this worker
   * @param nonce of this receive
   * @param receiveBegun when the receive that hid its message was sent
   */
  public BundleMachine(
      Bundle received,
      int receives,
      BundleSettings settings,
      String owner,
      String nonce,
      Moment receiveBegun) {
    this.bundle = received.header().bundle();
    this.sick = new SickRelease(bundle);
    this.consistency = received.header().consistency();
    this.all = Positions.range(0, received.tasks().size());
    this.oneClaim = !received.header().claimsTasks();
    this.lease = settings.lease();
    this.unanswered = new Unanswered(lease.lease());
    this.held = new HeldResults(settings.reply());
    this.attempts = settings.attempts();
    // No task starts twice there, whatever a bundle says.
    this.retries =
        consistency == Consistency.AT_MOST_ONCE
            ? Retries.none()
            : Retries.of(received.tasks(), settings.retry());
    this.receives = receives;
    this.claim =
        consistency.claims() ? new ClaimMachine(bundle, consistency, lease, owner, nonce) : null;
    this.extendAt = receiveBegun.mono() + lease.heartbeat();
  }

  public BundlePhase phase() {
    return phase;
  }

  /** The claim's attempt; 1 where there is no claim. */
  public int attempt() {
    return claim == null ? 1 : claim.attempt();
  }

  /** For how long its claim's lease still runs, in milliseconds, the margin not taken off. */
  public long leaseLeft(Moment now) {
    return claim == null ? lease.lease() : claim.leaseLeft(now);
  }

  /** Whether its tasks run one by one, in one slot: of such bundles a worker runs one at a time. */
  public boolean oneByOne() {
    return oneByOne && phase == BundlePhase.RUNNING;
  }

  /** Tasks that wait for a slot, and may have one: one by one, the next one only. */
  public int pendingCount() {
    int pending = phase == BundlePhase.RUNNING ? tasks.pendingCount() : 0;
    return oneByOne ? Math.min(pending, tasks.nothingRuns() ? 1 : 0) : pending;
  }

  /** Event in, effects out. */
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    switch (event) {
      case BundleEvent.Begin begin -> begin(begin.startsAhead(), now);
      case BundleEvent.AcquireAnswered answered -> acquireAnswered(answered.answer(), now);
      case BundleEvent.AcquireFailed failed -> acquireFailed(now);
      case BundleEvent.AcquireRefused refusal -> notAllowed(refusal.hiddenMillis(), now);
      case BundleEvent.WriteAnswered answered -> writeAnswered(answered, now);
      case BundleEvent.WriteFailed failed -> {
        if (claim != null) {
          relay(claim.writeFailed(failed.seq(), failed.refused(), now), now);
        }
      }
      case BundleEvent.Finished finished -> finished(finished, now);
      case BundleEvent.Interrupted interrupted -> interrupted(interrupted);
      case BundleEvent.ResultsAccepted accepted -> resultsAccepted(accepted.tasks());
      case BundleEvent.ResultsFailed failed -> tasks.sendFailed(failed.tasks());
      case BundleEvent.Undeliverable nowhere -> undeliverable(nowhere);
      case BundleEvent.ChildAccepted accepted -> childAccepted(accepted.k());
      case BundleEvent.ChildFailed failed -> children.returned(failed.k());
      case BundleEvent.ChildRefused refusal -> {
        children.returned(refusal.k());
        refused = true;
        drainHidden(refusal.hiddenMillis());
      }
      case BundleEvent.DeadAccepted accepted -> record(givingUp.sent());
      case BundleEvent.DeadFailed failed -> givingUp.notSent();
      case BundleEvent.DeadRefused refusal -> {
        givingUp.notSent();
        refused = true;
        drainHidden(refusal.hiddenMillis());
      }
      case BundleEvent.Postpone postpone -> postpone();
      case BundleEvent.Deleted deleted -> {
        if (phase == BundlePhase.DELETING) {
          move(Trigger.DELETED);
          effects.add(new BundleEffect.Close(Reason.COMPLETE));
        }
      }
      case BundleEvent.RunClosed closed -> runClosed(now);
      case BundleEvent.HandOff wanted -> handOff(now);
      case BundleEvent.GiveBack giveBack -> {
        if (phase == BundlePhase.HELD) {
          putBack(Trigger.PUT_BACK, 0);
        }
      }
      case BundleEvent.AttemptDied died -> attemptDied();
      case BundleEvent.Sick found -> {
        sick.because(found.reason());
        hiddenMillis = Math.max(hiddenMillis, found.hiddenMillis());
        drain();
      }
      case BundleEvent.SickNoted noted -> sick.noted(noted.workers());
      case BundleEvent.SickNoteFailed failed -> sick.notNoted();
      case BundleEvent.Drain drain -> drain();
      case BundleEvent.Tick tick -> tick(now);
    }
    settle(now);
    List<BundleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /**
   * Takes tasks for a slot: they count as running from here on.
   *
   * @param max at most how many
   * @param startsAhead at-most-once: how many starts may be recorded ahead
   * @param out takes the effects
   */
  public Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    if (phase != BundlePhase.RUNNING || !valid(now)) {
      return Positions.none();
    }
    if (claim == null || (consistency != Consistency.AT_MOST_ONCE && !oneByOne)) {
      return tasks.take(max);
    }
    Positions taken;
    if (oneByOne) {
      taken = takeNext(claim, now);
    } else {
      taken = tasks.take(max, claim.startsRecorded().common(starts.asked()));
      start(claim, starts.ahead(tasks.pending(), claim.startsRecorded(), startsAhead), now);
    }
    out.addAll(effects);
    effects.clear();
    return taken;
  }

  /**
   * The next task of a dangerous bundle: only when everything before it is recorded, and with its
   * own start recorded, so that whoever succeeds a dead worker knows which task it died of.
   */
  private Positions takeNext(ClaimMachine owned, Moment now) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return Positions.none();
    }
    Positions next = tasks.next(all);
    start(owned, starts.ask(next), now);
    return tasks.take(1, next.common(owned.startsRecorded()));
  }

  private void start(ClaimMachine owned, Positions more, Moment now) {
    if (!more.isEmpty()) {
      relay(owned.start(more, now), now);
    }
  }

  // ---- events

  private void begin(int startsAhead, Moment now) {
    if (phase != BundlePhase.HELD) {
      return;
    }
    move(Trigger.BEGIN);
    if (claim == null) {
      if (receives > attempts.maxReceives()) {
        giveUp(Verdict.ofReceives(receives, all), now);
      } else {
        move(Trigger.GRANTED);
        tasks.run(all);
      }
    } else {
      if (consistency == Consistency.AT_MOST_ONCE) {
        starts.are(all.first(Math.max(0, startsAhead)));
      }
      relay(claim.acquire(starts.asked(), now), now);
    }
  }

  private void acquireAnswered(ClaimAnswer answer, Moment now) {
    if (claim == null) {
      return;
    }
    relay(
        switch (answer) {
          case ClaimAnswer.Accepted accepted -> claim.acquired(accepted.claim(), now);
          case ClaimAnswer.Refused refused -> claim.acquireRefused(refused.current(), now);
        },
        now);
  }

  private void acquireFailed(Moment now) {
    // Asked again even by a worker that leaves: if it took effect, it is to be released, and its
    // starts taken back.
    if (phase == BundlePhase.CLAIMING && claim != null) {
      unanswered.failed(now);
      relay(claim.acquireFailed(now), now);
    }
  }

  /** Given back, unless an earlier one may have taken effect, which a later answer would tell. */
  private void notAllowed(long hidden, Moment now) {
    if (claim != null && unanswered.mayHold(now)) {
      relay(claim.acquireFailed(now), now);
    } else if (phase == BundlePhase.CLAIMING) {
      putBack(Trigger.PUT_BACK, hidden);
    }
  }

  private void writeAnswered(BundleEvent.WriteAnswered answered, Moment now) {
    if (claim == null) {
      return;
    }
    relay(
        switch (answered.answer()) {
          case ClaimAnswer.Accepted accepted -> claim.written(answered.seq(), now);
          case ClaimAnswer.Refused refused -> claim.writeRefused(answered.seq(), refused.current(), now);
        },
        now);
  }

  private void finished(BundleEvent.Finished finished, Moment now) {
    held.add(finished.bytes(), tasks.nothingFinished(), now);
    Positions again = retries.again(finished.failed(), now);
    tasks.finished(finished.tasks().minus(again));
    tasks.setAside(again);
  }

  private void interrupted(BundleEvent.Interrupted interrupted) {
    if (consistency == Consistency.AT_MOST_ONCE) {
      tasks.backToPending(interrupted.notStarted());
      // They did start, and nobody will know how they would have ended.
      tasks.lose(interrupted.killed());
    } else {
      tasks.backToPending(interrupted.notStarted().plus(interrupted.killed()));
    }
  }

  /** Whether they can go somewhere after all is tried for as long as something runs. */
  private void undeliverable(BundleEvent.Undeliverable nowhere) {
    tasks.sendFailed(nowhere.tasks());
    if (phase.works()) {
      undeliverable = true;
      drainHidden(nowhere.hiddenMillis());
    }
  }

  private void resultsAccepted(Positions accepted) {
    if (undeliverable) {
      undeliverable = false;
      hiddenMillis = 0;
    }
    tasks.accepted(accepted);
    record(givingUp.accepted(accepted));
  }

  private void record(Positions settled) {
    if (claim != null) {
      claim.record(settled);
    }
  }

  /** What runs may finish; then it is given back. */
  private void drainHidden(long millis) {
    hiddenMillis = millis;
    if (phase == BundlePhase.RUNNING) {
      move(Trigger.DRAIN);
    }
  }

  private void childAccepted(int k) {
    children.returned(k);
    if (claim != null) {
      claim.childSent(k);
    }
  }

  private void runClosed(Moment now) {
    runClosed = true;
    switch (phase) {
      case HELD -> {
        move(Trigger.RUN_CLOSED);
        effects.add(new BundleEffect.DeleteMessage());
      }
      case RUNNING, LOSING, GIVING_UP, DRAINING -> {
        effects.add(new BundleEffect.Kill());
        end(Trigger.RUN_CLOSED, now);
      }
      case CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> {}
    }
  }

  private void handOff(Moment now) {
    if (phase != BundlePhase.RUNNING || claim == null || oneByOne || !valid(now)) {
      return;
    }
    Positions tried = retries.tried();
    if (tasks.nothingRuns() && tried.isEmpty()) {
      move(Trigger.DRAIN);
      return;
    }
    claim.unstart(tasks.pending());
    starts.takeBack(tasks.pending());
    Positions share = handOff.share(bundle, tasks.pending().minus(tried), claim, now);
    if (!share.isEmpty()) {
      tasks.handOn(share);
      relay(claim.handOn(share, now), now);
    }
  }

  private void drain() {
    drainWanted = true;
    switch (phase) {
      case HELD -> putBack(Trigger.PUT_BACK, 0);
      case RUNNING -> move(Trigger.DRAIN);
      case CLAIMING, LOSING, GIVING_UP, DRAINING, ENDING, RELEASING, DELETING, CLOSED -> {}
    }
  }

  private void attemptDied() {
    if (phase == BundlePhase.RUNNING) {
      move(Trigger.DRAIN);
    }
    if (phase == BundlePhase.DRAINING && claim != null) {
      claim.attemptDied();
    }
  }

  private void postpone() {
    if (oneByOne()) {
      drainHidden(lease.lease());
    }
  }

  private void tick(Moment now) {
    if (claim != null) {
      relay(claim.tick(now), now);
    }
    boolean mine = phase != BundlePhase.CLOSED && phase != BundlePhase.DELETING;
    if (mine && now.mono() >= extendAt) {
      extendAt = now.mono() + lease.heartbeat();
      effects.add(new BundleEffect.ExtendVisibility(lease.lease()));
    }
  }

  // ---- what the claim says

  private void relay(List<ClaimEffect> fromClaim, Moment now) {
    for (ClaimEffect effect : fromClaim) {
      switch (effect) {
        case ClaimEffect.Call call -> effects.add(new BundleEffect.CallClaims(call));
        case ClaimEffect.Granted granted -> granted(granted.claim(), now);
        case ClaimEffect.GrantedLosing granted -> grantedLosing(granted.claim(), now);
        case ClaimEffect.SawDone done -> {
          move(Trigger.SAW_DONE);
          effects.add(new BundleEffect.DeleteMessage());
        }
        case ClaimEffect.SawOther other ->
            putBack(Trigger.SAW_OTHER, Math.max(0, other.untilService() - now.service()));
        case ClaimEffect.Durable durable -> {
          if (phase == BundlePhase.RELEASING && claim != null && claim.flushed()) {
            putBack(Trigger.RELEASED, hiddenMillis);
          }
        }
        case ClaimEffect.Ended ended -> {
          move(Trigger.ENDED);
          effects.add(new BundleEffect.DeleteMessage());
        }
        case ClaimEffect.Released released -> putBack(Trigger.RELEASED, hiddenMillis);
        case ClaimEffect.Lost lost -> {
          move(Trigger.LOST);
          effects.add(new BundleEffect.Kill());
          effects.add(new BundleEffect.Close(Reason.LOST));
        }
      }
    }
  }

  private void granted(Claim item, Moment now) {
    Positions open = all.minus(item.done()).minus(item.handedOn());
    if (attempts.exceededBy(item) && !open.isEmpty()) {
      giveUp(Verdict.of(item, open, attempts), now);
      return;
    }
    move(Trigger.GRANTED);
    tasks.run(open);
    starts.are(item.started());
    if (consistency == Consistency.EXACTLY_ONCE && attempts.oneByOne(item)) {
      runOneByOne(item, open);
    }
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
    } else if (drainWanted) {
      move(Trigger.DRAIN);
    }
  }

  /** The starts that are recorded from now on tell of this attempt alone. */
  private void runOneByOne(Claim item, Positions open) {
    oneByOne = true;
    Positions suspects = open.common(item.started());
    tasks.takeLast(suspects);
    starts.are(Positions.none());
    if (claim != null) {
      claim.unstart(suspects);
    }
  }

  private void giveUp(Verdict found, Moment now) {
    move(Trigger.TOO_OFTEN);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
      return;
    }
    givingUp.begin(found);
    tasks.lose(found.failed());
    if (claim != null && !found.rest().isEmpty()) {
      relay(claim.handOn(found.rest(), now), now);
    }
  }

  private void grantedLosing(Claim item, Moment now) {
    move(Trigger.GRANTED_LOSING);
    Positions open = all.minus(item.done()).minus(item.handedOn());
    // A task with a claim of its own has no child to go to: as published, it is LOST.
    Positions lost = oneClaim ? open.common(item.started()) : open;
    Positions neverStarted = open.minus(lost);
    tasks.lose(lost);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
    } else if (!neverStarted.isEmpty() && claim != null) {
      relay(claim.handOn(neverStarted, now), now);
    }
  }

  // ---- what follows

  /** Looks at where everything stands, and does what is due. */
  private void settle(Moment now) {
    if (!phase.works() || !valid(now)) {
      return;
    }
    if (undeliverable && tasks.nothingRuns() && tasks.sendingNothing()) {
      leave(now);
      return;
    }
    tasks.backToPending(retries.due(now));
    sendResults(now);
    if (claim != null && !refused) {
      effects.addAll(children.due(claim));
    }
    finishIfSettled(now);
  }

  private void sendResults(Moment now) {
    if (!tasks.sendingNothing()) {
      return;
    }
    if (!tasks.nothingLost()) {
      effects.add(givingUp.tell(tasks.sendLost()));
      return;
    }
    boolean last =
        tasks.nothingRuns() && (tasks.nothingPending() || oneByOne || phase != BundlePhase.RUNNING);
    if (!tasks.nothingFinished() && (last || held.due(now))) {
      effects.add(new BundleEffect.SendResults(tasks.sendFinished()));
    }
  }

  private void finishIfSettled(Moment now) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return;
    }
    boolean nothingToRun = tasks.nothingPending() && retries.noneWaits();
    boolean nothingToSend = !givingUp.unsent() && (claim == null || claim.allChildrenSent());
    if (nothingToRun && nothingToSend) {
      end(Trigger.SETTLED, now);
    } else if (refused) {
      release(now);
    } else if (givingUp.settled(effects)
        && !nothingToRun
        && phase == BundlePhase.DRAINING
        && sick.isNoted(effects)) {
      if (sick.tooOften()) {
        Positions pending = tasks.pending();
        tasks.handOn(pending);
        giveUp(sick.verdict(pending.plus(retries.stop())), now);
        sendResults(now);
        return;
      }
      release(now);
    }
  }

  /** What was taken to settle losses is released by nobody: its lease runs out. */
  private void release(Moment now) {
    boolean atMostOnce = consistency == Consistency.AT_MOST_ONCE;
    release(atMostOnce ? tasks.pending() : Positions.none(), phase == BundlePhase.LOSING, now);
  }

  /**
   * Gives it back without the results that can go nowhere. At-most-once cannot release: its tasks
   * would start again. There the claim is left to run out, and who succeeds it reports them LOST.
   */
  private void leave(Moment now) {
    boolean atMostOnce = consistency == Consistency.AT_MOST_ONCE;
    Positions neverStarted = tasks.pending();
    Positions ended = tasks.finishedToPending(); // nobody died of them
    release(atMostOnce ? neverStarted : ended, atMostOnce, now);
  }

  private void release(Positions unstarted, boolean runsOut, Moment now) {
    move(Trigger.RELEASE);
    if (claim == null) {
      putBack(Trigger.RELEASED, hiddenMillis);
    } else {
      claim.unstart(unstarted);
      relay(runsOut ? claim.flush(now) : claim.release(now), now);
    }
  }

  private void end(Trigger why, Moment now) {
    move(why);
    if (claim == null) {
      move(Trigger.ENDED);
      effects.add(new BundleEffect.DeleteMessage());
    } else {
      relay(claim.end(now), now);
    }
  }

  private void putBack(Trigger why, long millis) {
    move(why);
    effects.add(new BundleEffect.PutBack(millis));
    effects.add(new BundleEffect.Close(Reason.GIVEN_BACK));
  }

  private boolean valid(Moment now) {
    return claim == null || claim.valid(now);
  }

  private void move(Trigger trigger) {
    phase = BundlePhase.TABLE.next(phase, trigger);
  }
}
