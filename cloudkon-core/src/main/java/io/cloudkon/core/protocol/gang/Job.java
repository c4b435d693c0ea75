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

/** One HPC job in a manager's hands: its claim, its phase, and since when it waits. */
final class Job {
  private static final long FIRST_BACK_OFF_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 4;

  final int ranks;
  private final GangSettings settings;
  private final Bundle bundle;
  private final int receives;
  private long key;
  private BundleMachine machine;
  private JobPhase phase = JobPhase.TABLE.start();

  /** When it was first refused; service clock, epoch milliseconds; 0 before. */
  private long since;

  /** When it was first refused here, and is to try again; monotonic milliseconds. */
  private long refusedAt;

  private long tryAgainAt;
  private int refusals;

  /** When its waiting item was written last, monotonic; 0 if there is none. */
  private long waitingPutAt;

  /** When its claim was asked for last while it waited, monotonic; 0 before. */
  private long claimReadAt;

  /** Since when it is too large for the cluster, monotonic; 0 if it is not. */
  private long tooLargeSince;

  /** Why it can never run; null unless that is so. */
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

  /** The bundle's id, which names the job. */
  String id() {
    return bundle.header().bundle();
  }

  /** Names it until its claim is given back. */
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

  /** Its claim is there, and its ranks may start. */
  boolean ready() {
    return machine.pendingCount() > 0;
  }

  /** Nothing was asked of the claim store yet. */
  boolean unclaimed() {
    return machine.phase() == BundlePhase.HELD;
  }

  /** It needs a gang. */
  boolean unplaced() {
    return phase == JobPhase.HELD || phase == JobPhase.WAITING;
  }

  /** What runs of it is being ended. */
  void stop() {
    if (phase == JobPhase.RUNNING) {
      move(Trigger.STOP);
    }
  }

  /** Its claim was given back: the next acquisition needs another nonce. */
  void rearm(long newKey, String nonce, Moment now) {
    key = newKey;
    machine = machine(nonce, now);
    move(Trigger.REARMED);
    backOff(now);
  }

  // ---- it waits

  /** There is no room for it now. */
  void refused(Moment now) {
    move(Trigger.REFUSED);
    backOff(now);
  }

  private void backOff(Moment now) {
    if (refusedAt == 0) {
      refusedAt = now.mono();
    }
    if (since == 0) {
      since = now.service();
    }
    tryAgainAt = now.mono() + (FIRST_BACK_OFF_MILLIS << Math.min(refusals, MOST_DOUBLINGS));
    refusals++;
  }

  /** It is its turn to ask for slots. */
  boolean due(Moment now) {
    return phase == JobPhase.HELD || (phase == JobPhase.WAITING && now.mono() >= tryAgainAt);
  }

  void tryAgainAt(long mono) {
    tryAgainAt = mono;
  }

  /** At this time, unless it tries again before. */
  void tryAgainBy(long mono) {
    tryAgainAt = Math.min(tryAgainAt, mono);
  }

  /** When it was first refused; service clock, epoch milliseconds; 0 before. */
  long since() {
    return since;
  }

  /** Another worker had it in its hands before, and it waited there. */
  void waitsSince(long earlier) {
    since = Math.min(since, earlier);
  }

  /** For how long it has waited here, in milliseconds. */
  long waited(Moment now) {
    return now.mono() - refusedAt;
  }

  /**
   * Says once a lease whether its claim is to be read: it may be done already, or be done later by
   * whoever got another copy of its message.
   */
  boolean asksForItsClaim(Moment now) {
    boolean again = claimReadAt == 0 || now.mono() - claimReadAt >= settings.lease().lease();
    if (!again || !unclaimed()) {
      return false;
    }
    claimReadAt = Math.max(1, now.mono());
    return true;
  }

  /** Whether its waiting item is to be written now, for the first time or anew. */
  boolean putsWaitingItem(Moment now) {
    if (waitingPutAt != 0 && now.mono() - waitingPutAt < settings.lease().heartbeat()) {
      return false;
    }
    waitingPutAt = Math.max(1, now.mono());
    return true;
  }

  /** Whether it has a waiting item; it does not from now on. */
  boolean dropsWaitingItem() {
    boolean there = waitingPutAt != 0;
    waitingPutAt = 0;
    return there;
  }

  // ---- it may be too large

  /** It is not too large for the cluster. */
  void fits() {
    tooLargeSince = 0;
  }

  /** It is too large for the cluster: says since when; monotonic milliseconds. */
  long tooLarge(Moment now) {
    if (tooLargeSince == 0) {
      tooLargeSince = Math.max(1, now.mono());
    }
    return tooLargeSince;
  }

  /** It can never run. */
  void reject(Verdict why) {
    move(Trigger.REJECT);
    rejection = why;
  }

  /** Why it can never run; null if it may, or if that was said. */
  @Nullable Verdict rejection() {
    return phase == JobPhase.REJECTING ? rejection : null;
  }

  @Override
  public String toString() {
    return "%s %s, bundle %s".formatted(id(), phase, machine.phase());
  }
}
