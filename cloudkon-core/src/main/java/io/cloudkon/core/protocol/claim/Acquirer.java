package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimPhase.Trigger;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * A worker that does not have the claim yet: requests it until this worker has it, or the answer
 * shows that another one has it or that it is DONE. Pure; used by one thread at a time.
 */
final class Acquirer {
  private final LeaseSettings settings;
  private final Acquisitions acquisitions;
  private final ClaimStage stage;
  private final ClaimLease lease;
  private final OwnerWrites writes;

  Acquirer(
      LeaseSettings settings,
      Acquisitions acquisitions,
      ClaimStage stage,
      ClaimLease lease,
      OwnerWrites writes) {
    this.settings = settings;
    this.acquisitions = acquisitions;
    this.stage = stage;
    this.lease = lease;
    this.writes = writes;
  }

  /**
   * Sends the first acquisition, or the same one again.
   *
   * @param startsAtOnce in at-most-once, the starts to record at once; otherwise empty
   */
  void acquire(Positions startsAtOnce, Moment now) {
    if (stage.is(ClaimPhase.UNCLAIMED)) {
      stage.move(Trigger.ACQUIRE);
      acquisitions.begin(startsAtOnce, now);
    }
    ask(acquisitions.toRun(now), now);
  }

  /** Repeats an acquisition that failed temporarily. */
  void failed(Moment now) {
    if (stage.is(ClaimPhase.ACQUIRING)) {
      ask(acquisitions.toRun(now), now);
    } else if (stage.is(ClaimPhase.SUCCEEDING)) {
      ask(acquisitions.toSettleAgain(now), now);
    }
  }

  /** Handles an accepted acquisition. */
  void accepted(Claim claim, Moment now) {
    lease.granted(claim);
    adopt(claim, now);
  }

  /** Handles a refused acquisition, with the current claim. */
  void refused(@Nullable Claim current, Moment now) {
    if (current == null) {
      // Only LOSING is refused if there is no item: it was removed meanwhile.
      stage.move(Trigger.SAW_OTHER, new ClaimEffect.SawOther(now.service()));
    } else if (acquisitions.shownBy(current)) {
      // The first of several tries may be the one that took effect.
      lease.granted(current, acquisitions.firstShownBy(current));
      adopt(current, now);
    } else if (current.state() == ClaimState.DONE) {
      stage.move(Trigger.SAW_DONE, new ClaimEffect.SawDone());
    } else if (acquisitions.mayTake(current, now)) {
      if (acquisitions.mayRun(current)) {
        ask(acquisitions.toRun(now), now);
      } else {
        if (stage.is(ClaimPhase.ACQUIRING)) {
          stage.move(Trigger.SAW_EXPIRED);
        }
        ask(acquisitions.toSettle(current, now), now);
      }
    } else {
      stage.move(
          Trigger.SAW_OTHER, new ClaimEffect.SawOther(current.leaseEnd() + settings.margin()));
    }
  }

  private void ask(ClaimEffect acquisition, Moment now) {
    lease.asked(now);
    stage.add(acquisition);
  }

  private void adopt(Claim claim, Moment now) {
    writes.own(claim);
    if (claim.state() == ClaimState.LOSING) {
      if (stage.is(ClaimPhase.ACQUIRING)) {
        stage.move(Trigger.SAW_EXPIRED);
      }
      stage.move(Trigger.GRANTED_LOSING, new ClaimEffect.GrantedLosing(claim));
    } else if (lease.over(now)) {
      stage.move(Trigger.GRANTED_LATE);
      writes.hurry(now);
    } else {
      stage.move(Trigger.GRANTED, new ClaimEffect.Granted(claim));
    }
  }
}
