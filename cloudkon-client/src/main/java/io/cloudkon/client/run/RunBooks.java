package io.cloudkon.client.run;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The books behind a run's account: the client's two state machines, completeness and bundler, and
 * the outstanding bundles. Everything here is read and written under {@link #lock}, which no class
 * outside this package sees.
 */
final class RunBooks {
  final ReentrantLock lock = new ReentrantLock();

  /** Signalled when what the next plan depends on may have changed. */
  final Condition changed = lock.newCondition();

  final CompletenessMachine completeness;
  final BundlerMachine bundler;
  final TimeSource time;
  final Map<Integer, SentBundle> outstanding;
  final SentJobs jobs;
  final Optional<FairShare> share;
  final boolean mayWait;
  long sentTasks;
  long sleepMicros;
  boolean onlySleeps;
  boolean answered;

  /** Whether no results of a former client's bundles are waiting. */
  boolean caughtUp;

  RunBooks(RunOptions options, ResumeState state, TimeSource time) {
    this.time = time;
    this.mayWait = options.bundler().mayWait();
    this.bundler = new BundlerMachine(options.bundler());
    this.completeness = state.completeness();
    this.outstanding = state.outstanding();
    this.jobs = state.jobs();
    this.share = options.priority().map(FairShare::new);
    share.ifPresent(fair -> bundler.keepSmall());
    if (!options.claim().handsOn(options.consistency())) {
      bundler.keepSingle();
    }
    outstanding.values().forEach(bundle -> sharing(bundle, Double.NaN));
    this.sentTasks = state.sentTasks();
    this.caughtUp = outstanding.isEmpty();
    // The time that the sleeps of a former client's bundles asked for was not recorded.
    this.onlySleeps = state.completeness().tasks() == 0;
  }

  /** Charges a bundle to the client's share of the cluster, if there are shares. */
  void sharing(SentBundle bundle, double micros) {
    if (bundle.job()) {
      share.ifPresent(of -> of.sentJob(bundle.sequence(), bundle.ranks(), micros));
    } else {
      share.ifPresent(of -> of.sent(bundle.sequence(), bundle.tasks(), micros));
    }
  }

  /**
   * Records that this number of a bundle's tasks no longer wait or run; all of them if it has no
   * more.
   */
  void ended(int sequence, int tasks) {
    bundler.ended(sequence, tasks);
    share.ifPresent(of -> of.ended(sequence, tasks));
  }

  /** The client's priority; empty if the cluster is not fair. */
  Optional<Priority> priority() {
    return share.map(FairShare::priority);
  }

  <T> T locked(Supplier<T> of) {
    lock.lock();
    try {
      return of.get();
    } finally {
      lock.unlock();
    }
  }

  void carryOut(Runnable what) {
    lock.lock();
    try {
      what.run();
    } finally {
      lock.unlock();
    }
  }
}
