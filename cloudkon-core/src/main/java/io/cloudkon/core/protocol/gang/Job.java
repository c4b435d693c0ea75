package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleMachine;
import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** An HPC job that a manager holds: its claim, its phase, and since when it waits. */
final class Job {
  private static final long FIRST_BACK_OFF_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 4;

  final int ranks;
  private final GangSettings settings;
  private Bundle bundle;
  private final int receives;
  private long key;
  private BundleMachine machine;
  private JobPhase phase = JobPhase.TABLE.start();

  /**
   * The time of its first refusal, or the end of its last try if that is later; service clock,
   * epoch milliseconds; 0 before.
   */
  private long since;

  /** The same here, and the time of its next try; monotonic milliseconds. */
  private long refusedAt;

  private long tryAgainAt;
  private int refusals;

  /** How many of its gangs did not fill in time, and when the next may form; monotonic clock. */
  private int unfilled;

  private long idlesNoneUntil = Long.MIN_VALUE / 2;

  /** The time of the last write of its waiting item, monotonic milliseconds; 0 if none. */
  private long waitingPutAt;

  /** The time of the last read of its claim while it waited, monotonic milliseconds; 0 before. */
  private long claimReadAt;

  /** Since when it has been too large for the cluster, monotonic milliseconds; 0 if it is not. */
  private long tooLargeSince;

  /** Why it can never run; null if it can. */
  private @Nullable Verdict rejection;

  Job(Arrival arrival, GangSettings settings, Moment receiveBegun) {
    this.settings = settings;
    Bundle received = arrival.bundle();
    // Jobs are claimed in every mode.
    this.bundle =
        received.header().consistency().claims()
            ? received
            : new Bundle(
                received.header().withConsistency(Consistency.EXACTLY_ONCE), received.tasks());
    this.receives = arrival.receives();
    this.ranks = bundle.tasks().getFirst().work() instanceof Work.Hpc hpc ? hpc.ranks() : 1;
    this.key = arrival.key();
    this.machine = machine(arrival.nonce(), receiveBegun);
  }

  private BundleMachine machine(String nonce, Moment hiddenSince) {
    return new BundleMachine(
        bundle, receives, settings.bundles(), settings.worker(), nonce, hiddenSince);
  }

  /** The bundle's id, which identifies the job. */
  String id() {
    return bundle.header().bundle();
  }

  /** The key that identifies it until its claim is given back. */
  long key() {
    return key;
  }

  BundleMachine machine() {
    return machine;
  }

  JobPhase phase() {
    return phase;
  }

  boolean is(JobPhase which) {
    return phase == which;
  }

  void move(Trigger trigger) {
    phase = JobPhase.TABLE.next(phase, trigger);
  }

  /** Whether it is claimed, so that its ranks may start. */
  boolean ready() {
    return machine.pendingCount() > 0;
  }

  /** Whether its ranks may start, now or once its claim is granted. */
  boolean mayStart() {
    return switch (machine.phase()) {
      case HELD, CLAIMING, RUNNING -> true;
      case LOSING, GIVING_UP, DRAINING, ENDING, RELEASING, DELETING, CLOSED -> false;
    };
  }

  /** Whether its claim was not requested yet. */
  boolean unclaimed() {
    return machine.phase() == BundlePhase.HELD;
  }

  /** Whether it needs a gang. */
  boolean unplaced() {
    return phase == JobPhase.HELD || phase == JobPhase.WAITING;
  }

  /** Records that its ranks are being stopped. */
  void stop() {
    if (phase == JobPhase.RUNNING) {
      move(Trigger.STOP);
    }
  }

  /**
   * Prepares the next acquisition, which needs another nonce because the claim was given back. Its
   * failed tries still count.
   */
  void rearm(long newKey, String nonce, Moment now) {
    key = newKey;
    bundle = bundle.withTried(machine::tried);
    machine = machine(nonce, now);
    move(Trigger.REARMED);
    backOff(now);
  }

  // ---- it waits

  /** Records that there is no room for it now. */
  void refused(Moment now) {
    move(Trigger.REFUSED);
    backOff(now);
  }

  /**
   * Records that its gang did not fill in time: slots idled for it in vain. It waits for as long
   * before it requests slots again, and each time for twice as long, up to the patience; with the
   * reservation, it need not.
   */
  void notFilled(Moment now) {
    long pause = settings.gangTimeout() << Math.min(unfilled++, MOST_DOUBLINGS);
    idlesNoneUntil = now.mono() + Math.min(pause, settings.patience());
  }

  /**
   * Records that its last try failed and that it has another: it needs slots at once, and waits
   * from now on, however long ago it waited before it ran.
   */
  void again(Moment now) {
    move(Trigger.AGAIN);
    refusedAt = Math.max(1, now.mono());
    since = waitsFrom(now);
    tryAgainAt = now.mono();
  }

  private void backOff(Moment now) {
    if (refusedAt == 0) {
      refusedAt = Math.max(1, now.mono());
    }
    if (since == 0) {
      since = waitsFrom(now);
    }
    tryAgainAt = now.mono() + (FIRST_BACK_OFF_MILLIS << Math.min(refusals, MOST_DOUBLINGS));
    refusals++;
  }

  /** The service's time; never 0, which a simulated clock may show and which stands for none. */
  private static long waitsFrom(Moment now) {
    return now.service() == 0 ? 1 : now.service();
  }

  /** Whether it should request slots now. */
  boolean due(Moment now) {
    return phase == JobPhase.HELD || (phase == JobPhase.WAITING && now.mono() >= tryAgainAt);
  }

  /** Whether it should request slots now that are not reserved for it. */
  boolean mayTry(Moment now) {
    return due(now) && now.mono() >= idlesNoneUntil;
  }

  void tryAgainAt(long mono) {
    tryAgainAt = mono;
  }

  /** Schedules the next request at this time at the latest. */
  void tryAgainBy(long mono) {
    tryAgainAt = Math.min(tryAgainAt, mono);
  }

  /** The time since which it waits; service clock, epoch milliseconds; 0 if it never waited. */
  long since() {
    return since;
  }

  /** Sets the time since which it waits, because it waited at another worker before. */
  void waitsSince(long earlier) {
    since = Math.min(since, earlier);
  }

  /** How long it has waited here, in milliseconds. */
  long waited(Moment now) {
    return now.mono() - refusedAt;
  }

  /**
   * Returns true once per lease if its claim is to be read: another worker may have finished the
   * job, or may finish it, with another copy of its message.
   */
  boolean asksForItsClaim(Moment now) {
    boolean again = claimReadAt == 0 || now.mono() - claimReadAt >= settings.lease().lease();
    if (!again || !unclaimed()) {
      return false;
    }
    claimReadAt = Math.max(1, now.mono());
    return true;
  }

  /** Whether its waiting item is to be written now, for the first time or again. */
  boolean putsWaitingItem(Moment now) {
    if (waitingPutAt != 0 && now.mono() - waitingPutAt < settings.lease().heartbeat()) {
      return false;
    }
    waitingPutAt = Math.max(1, now.mono());
    return true;
  }

  /** Returns whether it has a waiting item, and records that the item is removed. */
  boolean dropsWaitingItem() {
    boolean there = waitingPutAt != 0;
    waitingPutAt = 0;
    return there;
  }

  // ---- it may be too large

  /** Records that it is not too large for the cluster. */
  void fits() {
    tooLargeSince = 0;
  }

  /**
   * Records that it is too large for the cluster; returns since when, in monotonic milliseconds.
   */
  long tooLarge(Moment now) {
    if (tooLargeSince == 0) {
      tooLargeSince = Math.max(1, now.mono());
    }
    return tooLargeSince;
  }

  /** Records that it can never run. */
  void reject(Verdict why) {
    move(Trigger.REJECT);
    rejection = why;
  }

  /** Why it can never run; null if it can, or if this was already reported. */
  @Nullable Verdict rejection() {
    return phase == JobPhase.REJECTING ? rejection : null;
  }

  @Override
  public String toString() {
    return "%s %s, bundle %s".formatted(id(), phase, machine.phase());
  }
}
