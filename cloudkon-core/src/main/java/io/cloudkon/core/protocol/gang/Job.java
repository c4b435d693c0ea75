package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleMachine;
import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** One HPC job in a manager's hands. */
final class Job {
  private static final long FIRST_BACK_OFF_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 4;

  private final GangSettings settings;
  private final Bundle bundle;
  private final int receives;
  final int ranks;

  long key;
  BundleMachine machine;
  JobPhase phase = JobPhase.TABLE.start();

  /** The gang that it is placed on. */
  @Nullable Gang gang;

  /** When it was first refused; service clock, epoch milliseconds; 0 before. */
  long since;

  /** When it was first refused here, and is to try again; monotonic milliseconds. */
  long refusedAt;

  long tryAgainAt;
  private int refusals;

  /** When its waiting item was written last, monotonic; 0 if there is none. */
  long waitingPutAt;

  boolean claimReadAsked;

  /** Since when it is too large for the cluster, monotonic; 0 if it is not. */
  long tooLargeSince;

  GangEffect.@Nullable Verdict rejection;

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

  /** Its claim was given back: the next acquisition needs another nonce. */
  void rearm(long newKey, String nonce, Moment now) {
    key = newKey;
    machine = machine(nonce, now);
    move(Trigger.REARMED);
    backOff(now);
  }

  /** The bundle's id, which names the job. */
  String id() {
    return bundle.header().bundle();
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

  /** There is no room for it now. */
  void refused(Moment now) {
    move(Trigger.REFUSED);
    if (refusedAt == 0) {
      refusedAt = now.mono();
    }
    if (since == 0) {
      since = now.service();
    }
    backOff(now);
  }

  private void backOff(Moment now) {
    if (since == 0) {
      since = now.service();
      refusedAt = now.mono();
    }
    tryAgainAt = now.mono() + (FIRST_BACK_OFF_MILLIS << Math.min(refusals, MOST_DOUBLINGS));
    refusals++;
  }

  @Override
  public String toString() {
    return "%s %s, bundle %s".formatted(id(), phase, machine.phase());
  }

  void move(Trigger trigger) {
    phase = JobPhase.TABLE.next(phase, trigger);
  }
}
