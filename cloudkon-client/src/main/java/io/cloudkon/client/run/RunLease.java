package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This client's lease of its run in {@code Q-runs}, renewed by a thread of its own together with
 * the run's counts. While it is not certain to hold, nothing may be sent, received, deleted or
 * written: {@link #awaitValid} blocks. If the store accepts a renewal, nobody else had the run
 * meanwhile, and work continues. If it refuses one, the client ends, unless the run was cancelled
 * and is still this client's to settle. Thread safe.
 */
public final class RunLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);

  private final RunStore runs;
  private final TimeSource time;
  private final Supplier<Progress> progress;
  private final RunOutcome outcome;
  private final Thread thread;
  private final LeaseEntry entry;
  private final SharedLease lease;
  private final ServicePatience patience;

  /**
   * The progress that the run's entry states.
   *
   * @param tasks the number of tasks, as far as is known
   * @param remaining the remaining work
   */
  public record Progress(
      long tasks, long sent, Map<TaskStatus, Long> counts, RemainingWork remaining) {}

  /**
   * Starts to renew a lease that was just written.
   *
   * @param written the entry as it was written
   * @param when the time when that write was sent
   * @param outcome is set if somebody cancelled the run or took it over, or if its lease cannot be
   *     kept
   */
  public RunLease(
      RunStore runs,
      RunEntry written,
      Moment when,
      LeaseSettings settings,
      TimeSource time,
      Supplier<Progress> progress,
      RunOutcome outcome) {
    this.runs = runs;
    this.entry = new LeaseEntry(written);
    this.time = time;
    this.progress = progress;
    this.outcome = outcome;
    this.patience = ServicePatience.thatWorked(time); // the entry was just written
    LeaseMachine machine = LeaseMachine.held(settings, when, time.now());
    this.lease = new SharedLease(machine, time, () -> !entry.published());
    this.thread = Thread.ofVirtual().name("cloudkon-run-lease").start(this::keep);
  }

  private void keep() {
    try {
      boolean more = true;
      while (more) {
        more = carryOut(lease.awaitNext(false), entry.written().state());
      }
    } catch (InterruptedException e) {
      lose(e); // nobody interrupts this thread, which ends by close()
    }
  }

  /**
   * Carries out a step.
   *
   * @param state the run's state from now on
   * @return whether other steps may follow
   */
  private boolean carryOut(SharedLease.Step step, RunEntry.State state) {
    try {
      switch (step.effect()) {
        case LeaseEffect.Write write -> write(state, step.asked(), write.length());
        case LeaseEffect.LookUp look -> met(runs.read(entry.written().run()));
        case LeaseEffect.Take take -> throw new IllegalStateException("a lost run is not retaken");
        case LeaseEffect.Wait wait -> {}
        case LeaseEffect.Nothing nothing -> {
          return false;
        }
      }
      patience.worked();
      return true;
    } catch (RuntimeException | Error e) {
      if (e instanceof CloudKonException passing && !patience.isHopeless(passing)) {
        LOG.debug("could not renew the lease of run {}: {}", entry.written().run(), e.getMessage());
        lease.tell(machine -> machine.failed(time.now()));
        return true;
      }
      // Otherwise nothing would renew the lease any more, and all threads would wait for it
      // forever.
      lose(e);
      return false;
    }
  }

  /** Writes the run's current entry. */
  private void write(RunEntry.State state, Moment now, long leaseMillis) {
    RunEntry next = entry.next(state, now.earliest(), leaseMillis, progress.get());
    boolean accepted = runs.update(next);
    lease.tell(machine -> {
      if (accepted) {
        entry.accepted();
        machine.written(time.now());
      } else {
        machine.refused(time.now());
      }
    });
  }

  /**
   * Handles an unexpected entry in the store: this client wrote it and the answer was lost, or the
   * run was cancelled, or the run is no longer this client's.
   */
  private void met(Optional<RunEntry> found) {
    LeaseFinding finding = entry.met(found);
    lease.tell(machine -> machine.found(finding, time.now()));
    if (lease.phase() == LeasePhase.LOST) {
      lose(new CloudKonException(entry.whyLost(found)));
    } else if (cancelled()) {
      outcome.end(RunEnd.CANCELLED);
    }
  }

  private void lose(Throwable why) {
    lease.lose(why);
    outcome.failed(why);
  }

  /** Like {@link #awaitValid(BooleanSupplier)}, for callers that wait for as long as it takes. */
  public boolean awaitValid() throws InterruptedException {
    return awaitValid(() -> false);
  }

  /**
   * Returns as soon as the lease is certain to hold.
   *
   * @param over whether it is no longer needed; looked at every few hundred milliseconds
   * @return false if it will never hold again, or is no longer needed
   */
  public boolean awaitValid(BooleanSupplier over) throws InterruptedException {
    return lease.awaitValid(over);
  }

  /**
   * Like {@link #awaitValid}, for callers that cannot continue without the lease.
   *
   * @throws CloudKonException if it will never hold again, with the reason
   */
  public void require() throws InterruptedException {
    if (!awaitValid()) {
      Throwable why = lease.lost();
      throw why instanceof CloudKonException known
          ? known
          : new CloudKonException(
              "the lease of run %s could not be kept; this client ends, and the tasks that were sent continue without it"
                  .formatted(entry.written().run()),
              why);
    }
  }

  /**
   * Publishes that results now go to another queue. Returns true when the store holds that and the
   * lease is certain to hold, or false if the lease is lost.
   */
  public boolean moveTo(String newQueue) throws InterruptedException {
    return lease.awaitPublished(() -> entry.moveTo(newQueue)) && awaitValid();
  }

  /** The queue that the run's entry names from its next write on, and so also at its end. */
  public String queue() {
    return entry.queue();
  }

  /** Whether the run was cancelled. */
  public boolean cancelled() {
    return entry.written().state() == RunEntry.State.CANCELLED;
  }

  /**
   * Ends the run: results are no longer taken. A cancelled run stays cancelled. A run that stays
   * OPEN because all tries failed can be resumed.
   *
   * @param tries the maximum number of tries
   * @return whether it succeeded
   */
  public boolean end(int tries) throws InterruptedException {
    return letGo(tries, () -> cancelled() ? RunEntry.State.CANCELLED : RunEntry.State.ENDED);
  }

  /**
   * Releases the run, which stays open or cancelled, so that a client that takes it over need not
   * wait for the lease to expire.
   *
   * @param tries the maximum number of tries; if all fail, the lease expires by itself
   */
  public void letGo(int tries) throws InterruptedException {
    var unused = letGo(tries, () -> entry.written().state());
  }

  private boolean letGo(int tries, Supplier<RunEntry.State> state) throws InterruptedException {
    close();
    if (lease.phase() == LeasePhase.LOST) {
      return false; // another client holds the run, and may need what its end would remove
    }
    lease.tell(LeaseMachine::letGo);
    int left = tries;
    while (left > 0 && carryOut(lease.awaitNext(true), state.get())) {
      // The look-up after a refused write belongs to the same try.
      left -= lease.phase() == LeasePhase.REFUSED ? 0 : 1;
    }
    return lease.phase() == LeasePhase.LET_GO;
  }

  /** Stops renewing. */
  @Override
  public void close() throws InterruptedException {
    lease.close();
    thread.join();
  }
}
