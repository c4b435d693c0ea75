package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * A worker's ownership of a bundle, from the request for the claim until the claim is ended,
 * released, refused or lost. Moves the bundle's stage by what the claim reports, and decides which
 * of its tasks run, are LOST, or are given up. In at-least-once it is granted without a claim.
 * Pure; used by one thread at a time.
 */
final class Ownership {
  private final Positions all;
  private final boolean oneClaim;
  private final AttemptSettings attempts;
  private final BundleStage stage;
  private final BundleClaim claim;
  private final TaskLedger tasks;
  private final Turns turns;
  private final Leaving leaving;
  private final GivingUp givingUp;
  private boolean runClosed;

  Ownership(
      Bundle received,
      AttemptSettings attempts,
      BundleStage stage,
      BundleClaim claim,
      TaskLedger tasks,
      Turns turns,
      Leaving leaving,
      GivingUp givingUp) {
    this.all = Positions.range(0, received.tasks().size());
    this.oneClaim = !received.header().claimsTasks();
    this.attempts = attempts;
    this.stage = stage;
    this.claim = claim;
    this.tasks = tasks;
    this.turns = turns;
    this.leaving = leaving;
    this.givingUp = givingUp;
  }

  /**
   * Requests the claim of a bundle that was only held so far.
   *
   * @param receives how often its message was received, including this time
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   */
  void begin(int receives, int startsAhead, Moment now) {
    if (!stage.is(BundlePhase.HELD)) {
      return;
    }
    stage.move(Trigger.BEGIN);
    if (claim.exists()) {
      follow(claim.acquire(turns.atOnce(startsAhead), now), now);
    } else if (receives > attempts.maxReceives()) {
      giveUp(Verdict.ofReceives(receives, all), now);
    } else {
      stage.move(Trigger.GRANTED);
      tasks.run(all);
    }
  }

  /**
   * Gives the bundle back, unless an earlier acquisition may have taken effect, which a later
   * answer would show.
   */
  void notAllowed(long hidden, Moment now) {
    if (claim.mayBeMine(now)) {
      follow(claim.askAgain(now), now);
    } else if (stage.is(BundlePhase.CLAIMING)) {
      stage.putBack(Trigger.PUT_BACK, hidden);
    }
  }

  /** Ends the ownership, because nobody needs the tasks any more: those that run are killed. */
  void runClosed(Moment now) {
    runClosed = true;
    switch (stage.phase()) {
      case HELD -> stage.delete(Trigger.RUN_CLOSED);
      case RUNNING, LOSING, GIVING_UP, DRAINING -> {
        stage.effects().add(new BundleEffect.Kill());
        end(Trigger.RUN_CLOSED, now);
      }
      case CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> {}
    }
  }

  // ---- what the claim says

  /** Handles the effects of the claim: adds its calls to the bundle's, and follows its news. */
  void follow(List<ClaimEffect> fromClaim, Moment now) {
    for (ClaimEffect effect : fromClaim) {
      switch (effect) {
        case ClaimEffect.Call call -> stage.effects().add(new BundleEffect.CallClaims(call));
        case ClaimEffect.Granted granted -> granted(granted.claim(), now);
        case ClaimEffect.GrantedLosing granted -> grantedLosing(granted.claim(), now);
        case ClaimEffect.SawDone done -> stage.delete(Trigger.SAW_DONE);
        case ClaimEffect.SawOther other ->
            stage.putBack(Trigger.SAW_OTHER, Math.max(0, other.untilService() - now.service()));
        case ClaimEffect.Durable durable -> {
          if (stage.is(BundlePhase.RELEASING) && claim.flushed()) {
            stage.putBack(Trigger.RELEASED, leaving.hiddenMillis());
          }
        }
        case ClaimEffect.Ended ended -> stage.delete(Trigger.ENDED);
        case ClaimEffect.Released released ->
            stage.putBack(Trigger.RELEASED, leaving.hiddenMillis());
        case ClaimEffect.Lost lost -> stage.lost();
      }
    }
  }

  private void granted(Claim item, Moment now) {
    Positions open = open(item);
    if (attempts.exceededBy(item) && !open.isEmpty()) {
      giveUp(Verdict.of(item, open, attempts), now);
      return;
    }
    stage.move(Trigger.GRANTED);
    tasks.run(open);
    turns.granted(item, open, attempts);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
    } else if (leaving.drains()) {
      stage.move(Trigger.DRAIN);
    }
  }

  private void grantedLosing(Claim item, Moment now) {
    stage.move(Trigger.GRANTED_LOSING);
    Positions open = open(item);
    // A task with its own claim has no child to be handed on to: as published, it is LOST.
    Positions lost = oneClaim ? open.common(item.started()) : open;
    Positions neverStarted = open.minus(lost);
    tasks.lose(lost);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
    } else {
      follow(claim.handOn(neverStarted, now), now);
    }
  }

  /** The tasks that are neither recorded nor handed on. */
  private Positions open(Claim item) {
    return all.minus(item.done()).minus(item.handedOn());
  }

  // ---- its end

  /** Reports tasks that are not to be tried again, and hands on the others, before it ends. */
  void giveUp(Verdict found, Moment now) {
    stage.move(Trigger.TOO_OFTEN);
    if (runClosed) {
      end(Trigger.RUN_CLOSED, now);
      return;
    }
    givingUp.begin(found);
    tasks.lose(found.failed());
    found.children().forEach(child -> follow(claim.handOn(child, now), now));
  }

  /** Gives the bundle back to others. */
  void release(Completion.Step.Release release, Moment now) {
    stage.move(Trigger.RELEASE);
    claim.unstart(release.unstarted());
    follow(release.runsOut() ? claim.flush(now) : claim.release(now), now);
  }

  /** Ends the claim, because every task is settled. */
  void settled(Moment now) {
    end(Trigger.SETTLED, now);
  }

  private void end(Trigger why, Moment now) {
    stage.move(why);
    follow(claim.end(now), now);
  }
}
