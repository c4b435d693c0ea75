package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
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
  private static final long RETRY_MILLIS = 500;

  private final RunStore runs;
  private final LeaseSettings settings;
  private final TimeSource time;
  private final Supplier<Progress> progress;
  private final RunOutcome outcome;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private final LeaseEntry entry;
  private Moment end;
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
    this.settings = settings;
    this.time = time;
    this.progress = progress;
    this.outcome = outcome;
    this.end = when.plus(settings.lease());
    this.thread = Thread.ofVirtual().name("cloudkon-run-lease").start(this::keep);
  }

  private void keep() {
    long pause = settings.heartbeat();
    while (awaitDue(pause)) {
      pause = renew(entry.written().state()) ? settings.heartbeat() : RETRY_MILLIS;
    }
  }

  /** Waits, not so long if there is something to publish; false if closed. */
  private boolean awaitDue(long millis) {
    lock.lock();
    try {
      boolean failed = millis < settings.heartbeat();
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!closed && nanos > 0 && (failed || entry.published())) {
        nanos = changed.awaitNanos(nanos);
      }
      return !closed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean renew(RunEntry.State state) {
    return write(state, settings.lease());
  }

  /** Writes the run as it stands now; false if that may be tried again, or never will do. */
  private boolean write(RunEntry.State state, long leaseMillis) {
    try {
      Moment now = time.now();
      RunEntry next = entry.next(state, now.service(), leaseMillis, progress.get());
      if (!runs.update(next)) {
        return refused(next, runs.read(next.run()));
      }
      entry.written(next);
      lock.lock();
      try {
        end = now.plus(leaseMillis);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      return true;
    } catch (TransientServiceException e) {
      LOG.debug("could not renew the lease of run {}: {}", entry.written().run(), e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      // Nobody would renew it any more, and everybody wait for it for ever.
      lose(e);
      return false;
    }
  }

  /**
   * The store shows something else than was thought: what this client wrote itself, and the answer
   * to that was lost; or that the run was cancelled; or that it is this client's no more.
   *
   * @return whether what was to be written stands there already
   */
  private boolean refused(RunEntry mine, Optional<RunEntry> found) {
    if (!LeaseEntry.isGoneOnWith(mine, found)) {
      lose(new CloudKonException(entry.whyLost(found)));
      return false;
    }
    RunEntry now = found.orElseThrow();
    entry.written(now);
    if (now.state() == RunEntry.State.CANCELLED) {
      outcome.end(RunEnd.CANCELLED);
    }
    return LeaseEntry.hasLetGo(mine, now);
  }

  private void lose(Throwable why) {
    lock.lock();
    try {
      lost = why;
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
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
      while (!closed && time.now().eitherPast(end.plus(-settings.margin()))) {
        var unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
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
      Throwable why = lostBy();
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
   * lease is certain to hold.
   *
   * @return false if it never will: the lease is lost
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
    for (int i = 0; i < tries && lostBy() == null; i++) {
      if (i > 0) {
        pause();
      }
      if (write(state.get(), 0)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Throwable lostBy() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  private void pause() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
      while (nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Stops to renew. */
  @Override
  public void close() throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.join();
  }
}
