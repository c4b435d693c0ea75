package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeasePhase.Trigger;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One process's side of a lease that one process at a time holds: watches another's until it is
 * over, takes it, renews it every heartbeat, finds out what became of a refused write, lets it go.
 * It knows nothing of what the entry contains. One call at a time is under way; each may be lost,
 * carried out late, or lose its answer.
 *
 * <p>A driver asks {@link #next} what to do, does it, and tells how that came out:
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
 * <p>The driver makes sure of three things. Its entry's lease ends at {@link SeenLease#endOf} of
 * the moment that it passed to {@code next}, so that the lease counts from before the write was
 * sent. Each entry is newer than the one before it. {@code Take} is conditional on the entry that
 * the last {@code LookUp} read, all of it that a renewal changes.
 *
 * <p>A process that creates a lease or takes it over by other means starts with {@link #held}. One
 * that can be without it and go on (a provisioner) calls {@link #again} after it lost it; another
 * (a client) ends.
 *
 * <p>A lease whose one conditional write takes it, renews it, and says whether another has it (a
 * worker's seat, {@code DecisionStore.sit}) needs no look: its driver starts with {@code held} once
 * {@code sit} was true, makes the same call for {@code Write}, and answers the {@code LookUp} after
 * a refusal with {@link LeaseFinding.Gone} without a call. Giving the seat back is a call of its
 * own; the machine is dropped then.
 *
 * <p>Pure; used by one thread at a time.
 */
public final class LeaseMachine {
  /** How soon a write that failed in passing, or was refused for no lasting reason, is repeated. */
  public static final long RETRY_MILLIS = 500;

  /** What has become of the wish to let it go. */
  private enum Leaving {
    NO,
    WANTED,
    /** A write that lets it go was sent: it may be another's at any moment. */
    SENT
  }

  private static final LeaseEffect NOTHING = new LeaseEffect.Nothing();

  private final LeaseSettings settings;
  private LeasePhase phase = LeasePhase.TABLE.start();
  private Leaving leaving = Leaving.NO;

  /** When the next step is due, on the monotonic clock; news may be sooner if it is a renewal. */
  private long due = Long.MIN_VALUE;

  private boolean retrying;

  /** When the write that is under way was asked for. */
  private @Nullable Moment asked;

  /** When the first try to take it was asked for that may have been carried out. */
  private @Nullable Moment firstTake;

  /** Until when it holds; null while it does not. */
  private @Nullable Moment end;

  private LeaseVigil vigil;

  /** Knows nothing of the lease yet: looks first. */
  public LeaseMachine(LeaseSettings settings) {
    this.settings = settings;
    this.vigil = new LeaseVigil(settings);
  }

  /**
   * Holds a lease that was just written.
   *
   * @param written when that write was asked for
   * @param now when it was answered
   */
  public static LeaseMachine held(LeaseSettings settings, Moment written, Moment now) {
    LeaseMachine machine = new LeaseMachine(settings);
    machine.move(Trigger.LOOK);
    machine.move(Trigger.FREE);
    machine.move(Trigger.TAKE);
    machine.asked = written;
    machine.written(now);
    return machine;
  }

  public LeasePhase phase() {
    return phase;
  }

  /**
   * Whether it is certain to hold: by neither clock is it closer than the clock margin to its end,
   * and no write was sent that lets it go.
   */
  public boolean valid(Moment now) {
    Moment until = end;
    return until != null
        && leaving != Leaving.SENT
        && !now.eitherPast(until.plus(-settings.margin()));
  }

  /**
   * The next thing to do. Where that is a call, it is under way from here on, and has to be
   * answered.
   *
   * @param news whether the entry would tell something that the store does not show: it is then
   *     written without waiting for the heartbeat
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

  /** Whether it is not its own, and no call is under way that might make it so. */
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
    asked = now;
    firstTake = firstTake == null ? now : firstTake;
    return new LeaseEffect.Take(settings.lease());
  }

  private LeaseEffect write(Moment now) {
    move(Trigger.WRITE);
    asked = now;
    if (leaving == Leaving.NO) {
      return new LeaseEffect.Write(settings.lease());
    }
    leaving = Leaving.SENT;
    return new LeaseEffect.Write(0);
  }

  /** The write was carried out. */
  public void written(Moment now) {
    Moment from = asked;
    if (leaving == Leaving.SENT) {
      over(Trigger.LET_GO);
    } else if (from != null) {
      hold(Trigger.WRITTEN, from, now.mono() + settings.heartbeat());
    }
  }

  /** The write's condition does not hold. */
  public void refused(Moment now) {
    boolean taking = phase == LeasePhase.TAKING;
    move(Trigger.REFUSED);
    due = taking ? now.mono() + RETRY_MILLIS : now.mono();
  }

  /** The call failed in passing; whether it was carried out, nobody knows. */
  public void failed(Moment now) {
    move(Trigger.FAILED);
    retry(now);
  }

  /** What a look showed. */
  public void found(LeaseFinding finding, Moment now) {
    if (phase == LeasePhase.CONFIRMING) {
      confirmed(finding, now);
      return;
    }
    switch (finding) {
      case LeaseFinding.Gone gone -> free(now);
      case LeaseFinding.LetGo letGo -> free(now);
      // A take whose answer was lost; it counts from the first, as nobody knows which it was.
      case LeaseFinding.Mine mine -> hold(Trigger.MINE, firstTake, now.mono());
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

  /** The call failed in a way that no repetition mends, such as a table that is gone. */
  public void lost() {
    over(Trigger.LOST);
  }

  /** Wants it again after it was lost. */
  public void again() {
    move(Trigger.AGAIN);
    due = Long.MIN_VALUE;
  }

  /**
   * Wants to let it go: by the next write if it is held, else without one. Called once more after a
   * write that failed, the next try does not wait.
   */
  public void letGo() {
    if (leaving == Leaving.NO) {
      leaving = Leaving.WANTED;
    }
    due = Long.MIN_VALUE;
  }

  /**
   * The wait that {@link #next} asked for is over, by a timer of the driver's own: the clock that
   * it is asked with may lag behind it a little.
   */
  public void waited(Moment now) {
    due = Math.min(due, now.mono());
  }

  private void hold(Trigger trigger, @Nullable Moment from, long next) {
    move(trigger);
    end = from == null ? null : from.plus(settings.lease());
    due = next;
    retrying = false;
    firstTake = null;
    vigil = new LeaseVigil(settings);
  }

  private void retry(Moment now) {
    retrying = true;
    due = now.mono() + RETRY_MILLIS;
  }

  private void over(Trigger trigger) {
    move(trigger);
    end = null;
  }

  private void move(Trigger trigger) {
    phase = LeasePhase.TABLE.next(phase, trigger);
  }
}
