package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This client's lease of its run in {@code Q-runs}, renewed by a thread of its own together with
 * the run's counts. While it is not certain to hold, nothing may be sent, received, deleted or
 * written: {@link #awaitValid} blocks. A renewal that the store accepts proves that nobody else had
 * the run meanwhile, so work goes on then; one that it refuses ends the client, unless the run was
 * cancelled and is still this client's to settle. Thread safe.
 */
public final class RunLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);
  private static final LeaseEffect NOTHING = new LeaseEffect.Nothing();

  private final RunStore runs;
  private final TimeSource time;
  private final Supplier<Progress> progress;
  private final RunOutcome outcome;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private final LeaseEntry entry;
  private final LeaseMachine lease;
  private boolean closed;
  private @Nullable Throwable lost;

  /**
   * What the run's entry says of its progress.
   *
   * @param tasks as far as is known
   * @param remaining what is left of it
   */
  public record Progress(
      long tasks, long sent, Map<TaskStatus, Long> counts, RemainingWork remaining) {}

  /**
   * Starts to renew a lease that was just written.
   *
   * @param written the entry as it was written
   * @param when it was sent
   * @param outcome is told if somebody cancelled the run or else holds it, or its lease cannot be
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
    this.lease = LeaseMachine.held(settings, when, time.now());
    this.thread = Thread.ofVirtual().name("cloudkon-run-lease").start(this::keep);
  }

  private void keep() {
    try {
      boolean more = true;
      while (more) {
        more = carryOut(awaitNext(false), entry.written().state());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One step of the lease, and when it was asked for. */
  private record Step(LeaseEffect effect, Moment asked) {}

  /** Waits for the next step, not so long if there is something to publish. */
  private Step awaitNext(boolean evenIfClosed) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Moment now = time.now();
        LeaseEffect next = closed && !evenIfClosed ? NOTHING : lease.next(now, !entry.published());
        if (!(next instanceof LeaseEffect.Wait wait)) {
          return new Step(next, now);
        }
        var unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(wait.millis()));
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Does a step.
   *
   * @param state of the run from here on
   * @return whether others may follow
   */
  private boolean carryOut(Step step, RunEntry.State state) {
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
      return true;
    } catch (TransientServiceException e) {
      LOG.debug("could not renew the lease of run {}: {}", entry.written().run(), e.getMessage());
      tell(() -> lease.failed(time.now()));
      return true;
    } catch (RuntimeException | Error e) {
      // Nobody would renew it any more, and everybody wait for it for ever.
      lose(e);
      return false;
    }
  }

  /** Writes the run as it stands now. */
  private void write(RunEntry.State state, Moment now, long leaseMillis) {
    RunEntry next = entry.next(state, now.service(), leaseMillis, progress.get());
    boolean accepted = runs.update(next);
    tell(() -> {
      if (accepted) {
        entry.accepted();
        lease.written(time.now());
      } else {
        lease.refused(time.now());
      }
    });
  }

  /**
   * The store shows something else than was thought: what this client wrote itself, and the answer
   * to that was lost; or that the run was cancelled; or that it is this client's no more.
   */
  private void met(Optional<RunEntry> found) {
    LeaseFinding finding = entry.met(found);
    tell(() -> lease.found(finding, time.now()));
    if (phase() == LeasePhase.LOST) {
      lose(new CloudKonException(entry.whyLost(found)));
    } else if (cancelled()) {
      outcome.end(RunEnd.CANCELLED);
    }
  }

  private void tell(Runnable news) {
    boolean unused =
        locked(() -> {
          news.run();
          changed.signalAll();
          return true;
        });
  }

  private <R extends @Nullable Object> R locked(Supplier<R> look) {
    lock.lock();
    try {
      return look.get();
    } finally {
      lock.unlock();
    }
  }

  private LeasePhase phase() {
    return locked(lease::phase);
  }

  private void lose(Throwable why) {
    tell(() -> {
      lost = why;
      closed = true;
    });
    outcome.failed(why);
  }

  /**
   * Returns as soon as the lease is certain to hold.
   *
   * @return false if it never will again
   */
  public boolean awaitValid() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && !lease.valid(time.now())) {
        var unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(LeaseMachine.RETRY_MILLIS));
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * As {@link #awaitValid}, for who cannot go on without it.
   *
   * @throws CloudKonException why it never will hold again
   */
  public void require() throws InterruptedException {
    if (!awaitValid()) {
      Throwable why = locked(() -> lost);
      throw why instanceof CloudKonException known
          ? known
          : new CloudKonException(
              "the lease of run %s could not be kept; this client ends, and what was sent goes on without it"
                  .formatted(entry.written().run()),
              why);
    }
  }

  /**
   * Publishes that results go to another queue now; returns when that stands in the store, and the
   * lease is certain to hold, or false if it never will: the lease is lost.
   */
  public boolean moveTo(String newQueue) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      entry.moveTo(newQueue);
      changed.signalAll();
      while (!closed && !entry.published()) {
        changed.await();
      }
      return entry.published() && awaitValid();
    } finally {
      lock.unlock();
    }
  }

  /** The queue that the run's entry names from its next write on, thus also at its end. */
  public String queue() {
    return entry.queue();
  }

  /** Whether the run was cancelled. */
  public boolean cancelled() {
    return entry.written().state() == RunEntry.State.CANCELLED;
  }

  /**
   * Ends the run: nobody will take results any more. One that was cancelled stays so. Tried a few
   * times; a run that stays OPEN can be resumed.
   *
   * @param tries how often at most
   * @return whether it has
   */
  public boolean end(int tries) throws InterruptedException {
    return letGo(tries, () -> cancelled() ? RunEntry.State.CANCELLED : RunEntry.State.ENDED);
  }

  /**
   * Lets the run go, open or cancelled as it is: whoever takes it up need not wait for the lease to
   * run out.
   *
   * @param tries how often at most; what stays is over when the lease is
   */
  public void letGo(int tries) throws InterruptedException {
    var unused = letGo(tries, () -> entry.written().state());
  }

  private boolean letGo(int tries, Supplier<RunEntry.State> state) throws InterruptedException {
    close();
    tell(lease::letGo);
    int left = tries;
    while (left > 0 && carryOut(awaitNext(true), state.get())) {
      // What a refused write met is looked up in the same try.
      left -= phase() == LeasePhase.REFUSED ? 0 : 1;
    }
    return phase() == LeasePhase.LET_GO;
  }

  /** Stops to renew. */
  @Override
  public void close() throws InterruptedException {
    tell(() -> closed = true);
    thread.join();
  }
}
