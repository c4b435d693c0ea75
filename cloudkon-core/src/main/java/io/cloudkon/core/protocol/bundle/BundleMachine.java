package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore.Answer;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import io.cloudkon.core.protocol.claim.Claim;
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
  private final ReplySettings reply;
  private final @Nullable ClaimMachine claim;
  private final TaskLedger tasks = new TaskLedger();
  private final AttemptSettings attempts;
  private final Retries retries;
  private final int receives;
  private final Children children = new Children();
  private final List<BundleEffect> effects = new ArrayList<>();

  private BundlePhase phase = BundlePhase.TABLE.start();
  private boolean drainWanted;
  private boolean runClosed;
  private boolean oneByOne;
  private boolean attemptCounts;

  /** For how long its message is hidden when it is given back. */
  private long hiddenMillis;

  /** Its results can go nowhere. */
  private boolean undeliverable;

  private @Nullable Verdict verdict;
  private DeadLetter deadLetter = DeadLetter.NONE;
  private Positions startsAsked = Positions.none();
  private long heldBytes;
  private long heldSince;
  private long extendAt;

  /** How far what goes to the dead-letter queue has come. */
  private enum DeadLetter {
    NONE,
    DUE,
    ON_ITS_WAY,
    SENT
  }

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
    this.consistency = received.header().consistency();
    this.all = Positions.range(0, received.tasks().size());
    this.oneClaim = !received.header().claimsTasks();
    this.lease = settings.lease();
    this.reply = settings.reply();
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

  /**
   * Whether its workers died so often that its tasks run one by one: of such bundles a worker runs
   * one at a time.
   */
  public boolean oneByOne() {
    return oneByOne && phase == BundlePhase.RUNNING;
  }

  /** Tasks that wait for a slot. */
  public int pendingCount() {
    return phase == BundlePhase.RUNNING ? tasks.pendingCount() : 0;
  }

  /** Event in, effects out. */
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    switch (event) {
      case BundleEvent.Begin begin -> begin(begin.startsAhead(), now);
      case BundleEvent.AcquireAnswered answered -> acquireAnswered(answered.answer(), now);
      case BundleEvent.AcquireFailed failed -> acquireFailed(now);
      case BundleEvent.WriteAnswered answered -> writeAnswered(answered, now);
      case BundleEvent.WriteFailed failed -> {
        if (claim != null) {
          relay(claim.writeFailed(failed.seq(), now), now);
        }
      }
      case BundleEvent.Finished finished -> finished(finished, now);
      case BundleEvent.Interrupted interrupted -> interrupted(interrupted);
      case BundleEvent.ResultsAccepted accepted -> resultsAccepted(accepted.tasks());
      case BundleEvent.ResultsFailed failed -> tasks.sendFailed(failed.tasks());
      case BundleEvent.Undeliverable nowhere -> undeliverable(nowhere);
      case BundleEvent.ChildAccepted accepted -> childAccepted(accepted.k());
      case BundleEvent.ChildFailed failed -> children.returned(failed.k());
      case BundleEvent.DeadAccepted accepted -> deadLetter = DeadLetter.SENT;
      case BundleEvent.DeadFailed failed -> deadLetter = DeadLetter.DUE;
      case BundleEvent.Postpone postpone -> postpone();
      case BundleEvent.Deleted deleted -> {
        if (phase == BundlePhase.DELETING) {
          move(Trigger.DELETED);
          close(Reason.COMPLETE);
        }
      }
      case BundleEvent.RunClosed closed -> runClosed(now);
      case BundleEvent.HandOff handOff -> handOff(now);
      case BundleEvent.GiveBack giveBack -> {
        if (phase == BundlePhase.HELD) {
          putBack(Trigger.PUT_BACK, 0);
        }
      }
      case BundleEvent.AttemptDied died -> attemptDied();
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
   * @param startsAhead at-most-once: how many tasks are likely to start before the next heartbeat
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
      taken = tasks.take(max, claim.startsRecorded());
      askForStarts(claim, startsAhead, now);
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
    if (!next.minus(startsAsked).isEmpty()) {
      startsAsked = startsAsked.plus(next);
      relay(owned.start(next, now), now);
    }
    return tasks.take(1, next.common(owned.startsRecorded()));
  }

  /** At-most-once: has more starts recorded before the recorded ones are used up. */
  private void askForStarts(ClaimMachine owned, int startsAhead, Moment now) {
    Positions pending = tasks.pending();
    Positions notAsked = pending.minus(startsAsked);
    int askedFor = pending.size() - notAsked.size();
    if (notAsked.isEmpty() || askedFor * 2 > startsAhead) {
      return;
    }
    Positions next = first(notAsked, Math.max(1, startsAhead));
    startsAsked = startsAsked.plus(next);
    relay(owned.start(next, now), now);
  }

  private static Positions first(Positions of, int count) {
    return Positions.of(of.stream().limit(count).toArray());
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
        startsAsked = first(all, Math.max(0, startsAhead));
      }
      relay(claim.acquire(startsAsked, now), now);
    }
  }

  private void acquireAnswered(Answer answer, Moment now) {
    if (claim == null) {
      return;
    }
    relay(
        switch (answer) {
          case Answer.Accepted accepted -> claim.acquired(accepted.claim(), now);
          case Answer.Refused refused -> claim.acquireRefused(refused.current(), now);
        },
        now);
  }

  private void acquireFailed(Moment now) {
    // Asked again even by a worker that leaves: if it took effect, it is to be released, and its
    // starts taken back.
    if (phase == BundlePhase.CLAIMING && claim != null) {
      relay(claim.acquireFailed(now), now);
    }
  }

  private void writeAnswered(BundleEvent.WriteAnswered answered, Moment now) {
    if (claim == null) {
      return;
    }
    relay(
        switch (answered.answer()) {
          case Answer.Accepted accepted -> claim.written(answered.seq(), now);
          case Answer.Refused refused -> claim.writeRefused(answered.seq(), refused.current(), now);
        },
        now);
  }

  private void finished(BundleEvent.Finished finished, Moment now) {
    if (tasks.nothingFinished()) {
      heldSince = now.mono();
      heldBytes = 0;
    }
    heldBytes += finished.bytes();
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
    switch (phase) {
      case RUNNING -> {
        undeliverable = true;
        hiddenMillis = nowhere.hiddenMillis();
        move(Trigger.DRAIN);
      }
      case LOSING, GIVING_UP, DRAINING -> {
        undeliverable = true;
        hiddenMillis = nowhere.hiddenMillis();
      }
      case HELD, CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> {}
    }
  }

  private void resultsAccepted(Positions accepted) {
    if (undeliverable) {
      undeliverable = false;
      hiddenMillis = 0;
    }
    tasks.accepted(accepted);
    if (claim != null) {
      claim.record(accepted);
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
    if (phase != BundlePhase.RUNNING
        || claim == null
        || oneByOne
        || !valid(now)
        || tasks.pending().minus(retries.tried()).isEmpty()
        || BundleIds.depth(bundle) >= Limits.SPLIT_DEPTH
        || claim.childrenRecorded().size() >= Limits.CHILDREN) {
      return;
    }
    Positions rest = tasks.takePendingBut(retries.tried());
    claim.unstart(rest);
    relay(claim.handOn(rest, now), now);
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
    attemptCounts |= phase == BundlePhase.DRAINING;
  }

  private void postpone() {
    if (oneByOne()) {
      hiddenMillis = lease.lease();
      move(Trigger.DRAIN);
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
          close(Reason.LOST);
        }
      }
    }
  }

  private void granted(Claim item, Moment now) {
    Positions open = all.minus(item.done()).minus(item.handedOn());
    if (item.countedAttempts() > attempts.max() && !open.isEmpty()) {
      giveUp(Verdict.of(item, open, attempts.max()), now);
      return;
    }
    move(Trigger.GRANTED);
    tasks.run(open);
    startsAsked = item.started();
    if (consistency == Consistency.EXACTLY_ONCE
        && item.countedAttempts() >= attempts.oneByOneFrom()) {
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
    startsAsked = Positions.none();
    if (claim != null) {
      claim.unstart(suspects);
    }
  }

  private void giveUp(Verdict found, Moment now) {
    move(Trigger.GRANTED_TOO_OFTEN);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
      return;
    }
    verdict = found;
    deadLetter = DeadLetter.DUE;
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
    switch (phase) {
      case RUNNING, LOSING, GIVING_UP, DRAINING -> {
        if (valid(now)) {
          if (undeliverable && tasks.nothingRuns() && tasks.sendingNothing()) {
            leave(now);
            return;
          }
          tasks.backToPending(retries.due(now));
          sendResults(now);
          if (claim != null) {
            effects.addAll(children.due(claim));
          }
          finishIfSettled(now);
        }
      }
      case HELD, CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> {}
    }
  }

  private void sendResults(Moment now) {
    if (!tasks.sendingNothing()) {
      return;
    }
    if (!tasks.nothingLost()) {
      Positions told = tasks.sendLost();
      effects.add(
          verdict == null
              ? new BundleEffect.SendLost(told)
              : new BundleEffect.SendFailed(told, verdict.reason()));
      return;
    }
    boolean last =
        tasks.nothingRuns() && (tasks.nothingPending() || oneByOne || phase != BundlePhase.RUNNING);
    boolean due = heldBytes >= reply.holdBytes() || now.mono() - heldSince >= reply.holdMillis();
    if (!tasks.nothingFinished() && (last || due)) {
      effects.add(new BundleEffect.SendResults(tasks.sendFinished()));
    }
  }

  private void finishIfSettled(Moment now) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return;
    }
    if (verdict != null && deadLetter != DeadLetter.SENT) {
      if (deadLetter == DeadLetter.DUE) {
        deadLetter = DeadLetter.ON_ITS_WAY;
        effects.add(new BundleEffect.SendDead(verdict.failed(), verdict.reason()));
      }
      return;
    }
    if (tasks.nothingPending() && retries.noneWaits()) {
      if (claim == null || claim.allChildrenSent()) {
        end(Trigger.SETTLED, now);
      }
    } else if (phase == BundlePhase.DRAINING) {
      move(Trigger.RELEASE);
      if (claim == null) {
        putBack(Trigger.RELEASED, hiddenMillis);
      } else {
        if (consistency == Consistency.AT_MOST_ONCE) {
          claim.unstart(tasks.pending());
        }
        relay(attemptCounts ? claim.releaseAttempt(now) : claim.release(now), now);
      }
    }
  }

  /**
   * Gives it back without the results that can go nowhere. At-most-once cannot release: its tasks
   * would start again. There the claim is left to run out, and who succeeds it reports them LOST.
   */
  private void leave(Moment now) {
    Positions neverStarted = tasks.pending();
    Positions ended = tasks.finishedToPending();
    move(Trigger.RELEASE);
    if (claim == null) {
      putBack(Trigger.RELEASED, hiddenMillis);
    } else if (consistency == Consistency.AT_MOST_ONCE) {
      claim.unstart(neverStarted);
      relay(claim.flush(now), now);
    } else {
      // Nobody died of them.
      claim.unstart(ended);
      relay(claim.release(now), now);
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
    close(Reason.GIVEN_BACK);
  }

  private void close(Reason reason) {
    effects.add(new BundleEffect.Close(reason));
  }

  private boolean valid(Moment now) {
    return claim == null || claim.valid(now);
  }

  private void move(Trigger trigger) {
    phase = BundlePhase.TABLE.next(phase, trigger);
  }
}
