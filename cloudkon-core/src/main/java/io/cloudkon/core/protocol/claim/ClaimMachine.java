package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect.Durable;
import io.cloudkon.core.protocol.claim.ClaimEffect.Ended;
import io.cloudkon.core.protocol.claim.ClaimEffect.Granted;
import io.cloudkon.core.protocol.claim.ClaimEffect.Lost;
import io.cloudkon.core.protocol.claim.ClaimEffect.Released;
import io.cloudkon.core.protocol.claim.ClaimPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One worker's side of one claim (section 3 of the protocol): acquires it, keeps it, writes to it,
 * and gives it up. It does not matter whether a write that failed took effect. Pure; used by one
 * thread at a time.
 */
public final class ClaimMachine {
  private final Consistency consistency;
  private final boolean endWritten;
  private final ClaimStage stage = new ClaimStage();
  private final ClaimLease lease;
  private final OwnerWrites writes;
  private final Acquirer acquirer;

  /**
   * A claim not yet asked for.
   *
   * @param endWritten whether an owner that ran its tasks writes DONE; else its lease runs out, and
   *     whoever receives the message after that reports them LOST
   */
  public ClaimMachine(
      String bundle,
      Consistency consistency,
      boolean endWritten,
      LeaseSettings settings,
      String owner,
      String nonce) {
    this.consistency = consistency;
    this.endWritten = endWritten;
    this.lease = new ClaimLease(settings);
    this.writes = new OwnerWrites(bundle, settings, stage, lease);
    Acquisitions acquisitions = new Acquisitions(bundle, consistency, settings, owner, nonce);
    this.acquirer = new Acquirer(settings, acquisitions, stage, lease, writes);
  }

  // ---- events

  /**
   * Requests the claim; repeated after {@link #acquireFailed}.
   *
   * @param startsAtOnce in at-most-once, the starts to record at once; otherwise empty
   */
  public List<ClaimEffect> acquire(Positions startsAtOnce, Moment now) {
    acquirer.acquire(startsAtOnce, now);
    return stage.take();
  }

  /** Handles a temporary failure of the acquisition by repeating it. */
  public List<ClaimEffect> acquireFailed(Moment now) {
    acquirer.failed(now);
    return stage.take();
  }

  /** Handles an accepted acquisition. */
  public List<ClaimEffect> acquired(Claim claim, Moment now) {
    acquirer.accepted(claim, now);
    return stage.take();
  }

  /** Handles a refused acquisition, with the current claim. */
  public List<ClaimEffect> acquireRefused(@Nullable Claim current, Moment now) {
    acquirer.refused(current, now);
    return stage.take();
  }

  /** Handles an accepted write of the owner. */
  public List<ClaimEffect> written(long writtenSeq, Moment now) {
    ClaimWrite write = writes.underWay(writtenSeq);
    if (write == null) {
      return stage.take();
    }
    writes.accepted(write);
    switch (stage.phase()) {
      case ENDING -> {
        if (write.state() == ClaimState.DONE) {
          stage.move(Trigger.ENDED, new Ended());
        }
      }
      case RELEASING -> {
        if (write.state() == ClaimState.RELEASED) {
          stage.move(Trigger.RELEASED, new Released());
        }
      }
      case CONFIRMING -> {
        lease.renewed();
        if (lease.over(now)) {
          writes.hurry(now); // the answer came late, or the service's time was in doubt
        } else {
          stage.move(Trigger.CONFIRMED, new Granted(writes.item().durable()));
        }
      }
      case LEASED, LOSING -> {
        lease.renewed();
        stage.add(new Durable());
      }
      case UNCLAIMED, ACQUIRING, SUCCEEDING, DONE, RELEASED, REFUSED, LOST -> {}
    }
    writes.pump(now);
    return stage.take();
  }

  /** Handles a refused write of the owner, with the current claim. */
  public List<ClaimEffect> writeRefused(long refusedSeq, @Nullable Claim current, Moment now) {
    ClaimWrite write = writes.underWay(refusedSeq);
    if (write == null) {
      return stage.take();
    }
    if (current != null && writes.item().shownBy(current, write)) {
      return written(refusedSeq, now);
    }
    lose(Trigger.FENCED);
    return stage.take();
  }

  /**
   * Handles a failed write of the owner, which may or may not have taken effect.
   *
   * @param refused whether it is not allowed; it is then not repeated after the lease
   */
  public List<ClaimEffect> writeFailed(long failedSeq, boolean refused, Moment now) {
    if (writes.underWay(failedSeq) != null) {
      writes.failed();
      if (refused && lease.over(now)) {
        // as if another owner had it already, because no answer would show this any more
        lose(Trigger.FENCED);
      }
      checkLease(now);
      writes.pump(now);
    }
    return stage.take();
  }

  /** Handles the passing of time: renews the lease, and detects that it is over. */
  public List<ClaimEffect> tick(Moment now) {
    checkLease(now);
    writes.pump(now);
    return stage.take();
  }

  /** Records starts; durable by a {@link Durable} after which {@link #startsRecorded} has them. */
  public List<ClaimEffect> start(Positions more, Moment now) {
    writes.item().start(more);
    return soon(now);
  }

  /** Takes back recorded starts of tasks that did not start, with the next write. */
  public void unstart(Positions notStarted) {
    writes.item().unstart(notStarted);
  }

  /**
   * Records tasks whose final result was accepted, with the next write; does nothing if this owner
   * never had the claim.
   */
  public void record(Positions accepted) {
    writes.record(accepted);
  }

  /**
   * Hands tasks on to a new child, which may be sent when it is in {@link #childrenRecorded} after
   * a {@link Durable}.
   */
  public List<ClaimEffect> handOn(Positions tasks, Moment now) {
    writes.item().addChild(tasks);
    return soon(now);
  }

  /**
   * Records that a child was sent, with the next write; does nothing if this owner never had the
   * claim.
   */
  public void childSent(int k) {
    writes.childSent(k);
  }

  /** Ends the claim, because everything is recorded or handed on. */
  public List<ClaimEffect> end(Moment now) {
    boolean written = endWritten || stage.is(ClaimPhase.LOSING);
    stage.move(Trigger.END);
    if (written) {
      return soon(now);
    }
    stage.move(Trigger.ENDED, new Ended());
    return stage.take();
  }

  /** Writes pending changes at once, which also renews the lease. */
  public List<ClaimEffect> flush(Moment now) {
    return soon(now);
  }

  /**
   * Whether no write is under way or due, so that everything that {@link #flush} was to write is
   * durable.
   */
  public boolean flushed() {
    return writes.flushed();
  }

  /** Releases the claim, so that this attempt counts toward no limit. */
  public List<ClaimEffect> release(Moment now) {
    stage.move(Trigger.RELEASE);
    return soon(now);
  }

  /**
   * Counts the attempt, however it ends: as if its owner had died, because a worker on which it
   * runs did, or as one that its owner survived.
   */
  public List<ClaimEffect> attemptCounts(boolean survived) {
    Optional<ClaimEffect.Survive> survival = writes.item().survival();
    writes.item().attemptCounts();
    return survived && survival.isPresent() ? List.of(survival.get()) : List.of();
  }

  // ---- what is known

  public ClaimPhase phase() {
    return stage.phase();
  }

  /** Whether the owner may start, run and send, because its lease is valid with the margin. */
  public boolean valid(Moment now) {
    return isHeld() && !lease.over(now);
  }

  /**
   * The remaining time of the lease on both clocks in milliseconds, without deduction of the
   * margin; 0 if this owner does not have the claim.
   */
  public long leaseLeft(Moment now) {
    return valid(now) ? lease.left(now) : 0;
  }

  /** The fencing token; 0 before this owner has the claim. */
  public int attempt() {
    return writes.attempt();
  }

  /** The durable starts. */
  public Positions startsRecorded() {
    return writes.startsRecorded();
  }

  /** The durable children, and whether they are known to have been sent. */
  public SortedMap<Integer, Child> childrenRecorded() {
    return writes.childrenRecorded();
  }

  /** Whether every child, including those that are not durable yet, is known to have been sent. */
  public boolean allChildrenSent() {
    return writes.allChildrenSent();
  }

  // ---- inside

  /**
   * Stops an owner whose lease is over. ENDING and RELEASING continue, because nothing runs any
   * more, all results are accepted, and the write is refused if another owner has taken over.
   */
  private void checkLease(Moment now) {
    if (isHeld() && lease.over(now)) {
      lose(Trigger.LEASE_OVER);
    }
  }

  private boolean isHeld() {
    return stage.is(ClaimPhase.LEASED) || stage.is(ClaimPhase.LOSING);
  }

  private void lose(Trigger why) {
    writes.abandon();
    if (consistency == Consistency.EXACTLY_ONCE && !stage.is(ClaimPhase.RELEASING)) {
      writes.item().survival().ifPresent(stage::add);
    }
    stage.move(why, new Lost());
  }

  private List<ClaimEffect> soon(Moment now) {
    writes.hurry(now);
    return stage.take();
  }
}
