package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeasePhase.Trigger;
import io.cloudkon.core.time.Moment;

/**
 * One process's side of a lease that only one process holds at a time: watches another holder's
 * lease until it is over, takes it, renews it with every heartbeat, determines the outcome of a
 * refused write, and releases it. It does not know the content of the entry. One call at a time is
 * under way; each may be lost, be carried out late, or lose its answer.
 *
 * <p>A driver asks {@link #next} what to do, does it, and reports the outcome:
 *
 * <pre>{@code
 * void keep() {
 *   while (true) {
 *     Moment now = time.now();
 *     LeaseEffect effect = machine.next(now, thereIsNews());
 *     try {
 *       switch (effect) {
 *         case LeaseEffect.LookUp look -> machine.found(read(), time.now());
 *         case LeaseEffect.Take take -> told(store.take(entry(now, take.length()), seen));
 *         case LeaseEffect.Write write -> told(store.renew(entry(now, write.length())));
 *         case LeaseEffect.Wait wait -> { return; } // come back after wait.millis()
 *         case LeaseEffect.Nothing nothing -> { return; } // lost or let go
 *       }
 *     } catch (TransientServiceException e) {
 *       machine.failed(time.now());
 *     }
 *   }
 * }
 * // told(accepted) calls machine.written(time.now()) or machine.refused(time.now())
 * }</pre>
 *
 * <p>The driver must ensure three things. Its entry's lease ends at {@link SeenLease#endOf} of the
 * moment that it passed to {@code next}, so that the lease counts from before the write was sent.
 * Each entry is newer than the one before it. {@code Take} is conditional on all attributes of the
 * entry that a renewal changes, as the last {@code LookUp} read them.
 *
 * <p>A process that creates a lease or takes it over by other means starts with {@link #held}. A
 * process that can continue without the lease (a provisioner) calls {@link #again} after it lost
 * it; another (a client) ends.
 *
 * <p>If a single conditional write takes and renews a lease and reports whether another process has
 * it (a worker's seat, {@code DecisionStore.sit}), no read is needed: its driver starts with {@code
 * held} once {@code sit} was true, makes the same call for {@code Write}, and answers the {@code
 * LookUp} after a refusal with {@link LeaseFinding.Gone} without a call. Giving the seat back is a
 * separate call, after which the machine is discarded.
 *
 * <p>Pure; used by one thread at a time.
 */
public final class LeaseMachine {
  /**
   * The delay after which a write that failed or was refused temporarily is repeated, in
   * milliseconds.
   */
  public static final long RETRY_MILLIS = 500;

  /** The progress of the release. */
  private enum Leaving {
    NO,
    WANTED,
    /** A write that releases it was sent: another process may have it at any moment. */
    SENT
  }

  private static final LeaseEffect NOTHING = new LeaseEffect.Nothing();

  private final LeaseSettings settings;
  private LeasePhase phase = LeasePhase.TABLE.start();
  private Leaving leaving = Leaving.NO;

  /**
   * The time at which the next step is due, on the monotonic clock; a renewal with news may be
   * sooner.
   */
  private long due = Long.MIN_VALUE;

  private boolean retrying;
  private final HeldLease heldLease;
  private LeaseVigil vigil;

  /** A machine that knows nothing of the lease yet and reads it first. */
  public LeaseMachine(LeaseSettings settings) {
    this.settings = settings;
    this.heldLease = new HeldLease(settings);
    this.vigil = new LeaseVigil(settings);
  }

  /**
   * A machine that holds a lease that was just written.
   *
   * @param written when that write was requested
   * @param now when it was answered
   */
  public static LeaseMachine held(LeaseSettings settings, Moment written, Moment now) {
    LeaseMachine machine = new LeaseMachine(settings);
    machine.move(Trigger.LOOK);
    machine.move(Trigger.FREE);
    machine.move(Trigger.TAKE);
    machine.heldLease.writing(written);
    machine.written(now);
    return machine;
  }

  public LeasePhase phase() {
    return phase;
  }

  /**
   * Whether the lease is certain to be valid: on both clocks its end is further away than the clock
   * margin, and no write that releases it was sent.
   */
  public boolean valid(Moment now) {
    return leaving != Leaving.SENT && heldLease.valid(now);
  }

  /**
   * The next action. If it is a call, it is under way from then on and must be answered.
   *
   * @param news whether the entry has changed since it was last written; it is then written without
   *     waiting for the heartbeat
   */
  public LeaseEffect next(Moment now, boolean news) {
    if (leaving != Leaving.NO && idle()) {
      move(Trigger.LET_GO);
    }
    return switch (phase) {
      case WATCHING, REFUSED -> isDue(now) ? look() : await(now);
      case FREE -> isDue(now) ? take(now) : await(now);
      case HELD -> isDue(now) || isUrgent(news) ? write(now) : await(now);
      case LOOKING, TAKING, WRITING, CONFIRMING, LOST, LET_GO -> NOTHING;
    };
  }

  /** Whether the lease is not held, and no call is under way that might take it. */
  private boolean idle() {
    return phase == LeasePhase.WATCHING || phase == LeasePhase.FREE || phase == LeasePhase.LOST;
  }

  private boolean isDue(Moment now) {
    return now.mono() >= due;
  }

  private boolean isUrgent(boolean news) {
    return leaving == Leaving.WANTED || (news && !retrying);
  }

  private LeaseEffect await(Moment now) {
    return new LeaseEffect.Wait(due - now.mono());
  }

  private LeaseEffect look() {
    move(Trigger.LOOK);
    return new LeaseEffect.LookUp();
  }

  private LeaseEffect take(Moment now) {
    move(Trigger.TAKE);
    heldLease.taking(now);
    return new LeaseEffect.Take(settings.lease());
  }

  private LeaseEffect write(Moment now) {
    move(Trigger.WRITE);
    heldLease.writing(now);
    if (leaving == Leaving.NO) {
      return new LeaseEffect.Write(settings.lease());
    }
    leaving = Leaving.SENT;
    return new LeaseEffect.Write(0);
  }

  /** Handles a write that was carried out. */
  public void written(Moment now) {
    if (leaving == Leaving.SENT) {
      over(Trigger.LET_GO);
    } else if (heldLease.wasAsked()) {
      hold(Trigger.WRITTEN, now.mono() + settings.heartbeat());
      heldLease.written();
    }
  }

  /** Handles a write whose condition does not hold. */
  public void refused(Moment now) {
    boolean taking = phase == LeasePhase.TAKING;
    move(Trigger.REFUSED);
    due = taking ? now.mono() + RETRY_MILLIS : now.mono();
  }

  /** Handles a call that failed temporarily and may or may not have been carried out. */
  public void failed(Moment now) {
    move(Trigger.FAILED);
    retry(now);
  }

  /** Handles the result of a read. */
  public void found(LeaseFinding finding, Moment now) {
    if (phase == LeasePhase.CONFIRMING) {
      confirmed(finding, now);
      return;
    }
    switch (finding) {
      case LeaseFinding.Gone gone -> free(now);
      case LeaseFinding.LetGo letGo -> free(now);
      // A take whose answer was lost.
      case LeaseFinding.Mine mine -> {
        hold(Trigger.MINE, now.mono());
        heldLease.taken();
      }
      case LeaseFinding.Other other -> watch(other.lease(), now);
    }
  }

  private void confirmed(LeaseFinding finding, Moment now) {
    switch (finding) {
      case LeaseFinding.Mine mine -> {
        move(Trigger.MINE);
        retry(now);
      }
      case LeaseFinding.LetGo letGo -> over(Trigger.LET_GO);
      case LeaseFinding.Gone gone -> over(Trigger.LOST);
      case LeaseFinding.Other other -> over(Trigger.LOST);
    }
  }

  private void watch(SeenLease lease, Moment now) {
    vigil.saw(lease, now);
    if (vigil.left(now) == 0) {
      free(now);
    } else {
      move(Trigger.LIVE);
      due = now.mono() + Math.min(vigil.left(now), settings.heartbeat());
    }
  }

  private void free(Moment now) {
    move(Trigger.FREE);
    due = now.mono();
  }

  /** Handles a call that failed permanently, for example because a table does not exist. */
  public void lost() {
    over(Trigger.LOST);
  }

  /** Tries to take the lease again after it was lost. */
  public void again() {
    move(Trigger.AGAIN);
    due = Long.MIN_VALUE;
  }

  /**
   * Releases the lease: with the next write if it is held, otherwise without one. If this is called
   * again after a failed write, the next try does not wait.
   */
  public void letGo() {
    if (leaving == Leaving.NO) {
      leaving = Leaving.WANTED;
    }
    due = Long.MIN_VALUE;
  }

  /**
   * Reports that the wait of {@link #next} is over according to the driver's own timer, because the
   * machine's clock may lag behind it slightly.
   */
  public void waited(Moment now) {
    due = Math.min(due, now.mono());
  }

  private void hold(Trigger trigger, long next) {
    move(trigger);
    due = next;
    retrying = false;
    vigil = new LeaseVigil(settings);
  }

  private void retry(Moment now) {
    retrying = true;
    due = now.mono() + RETRY_MILLIS;
  }

  private void over(Trigger trigger) {
    move(trigger);
    heldLease.over();
  }

  private void move(Trigger trigger) {
    phase = LeasePhase.TABLE.next(phase, trigger);
  }
}
