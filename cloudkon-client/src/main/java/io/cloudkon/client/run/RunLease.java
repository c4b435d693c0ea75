package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This client's lease of its run in {@code Q-runs}, renewed by a thread of its own together with
 * the run's counts. While it is not certain to hold, nothing may be received, deleted or written:
 * {@link #awaitValid} blocks. A renewal that the store accepts proves that nobody else had the run
 * meanwhile, so work goes on then; one that it refuses ends the client. Thread safe.
 */
public final class RunLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);
  private static final long RETRY_MILLIS = 500;

  private final RunStore runs;
  private final LeaseSettings settings;
  private final TimeSource time;
  private final Supplier<Progress> progress;
  private final Consumer<Throwable> lost;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private RunEntry entry;
  private Moment end;
  private boolean closed;

  /**
   * What the run's entry says of its progress.
   *
   * @param tasks as far as is known
   */
  public record Progress(long tasks, long sent, Map<TaskStatus, Long> counts) {}

  /**
   * Starts to renew a lease that was just written.
   *
   * @param created the entry as it was written
   * @param written when it was sent
   * @param lost is told if somebody else holds the run, or its lease cannot be kept
   */
  public RunLease(
      RunStore runs,
      RunEntry created,
      Moment written,
      LeaseSettings settings,
      TimeSource time,
      Supplier<Progress> progress,
      Consumer<Throwable> lost) {
    this.runs = runs;
    this.entry = created;
    this.settings = settings;
    this.time = time;
    this.progress = progress;
    this.lost = lost;
    this.end = written.plus(settings.lease());
    this.thread = Thread.ofVirtual().name("cloudkon-run-lease").start(this::keep);
  }

  private void keep() {
    long pause = settings.heartbeat();
    while (awaitClosed(pause)) {
      pause = renew(RunEntry.State.OPEN) ? settings.heartbeat() : RETRY_MILLIS;
    }
  }

  /** Waits; false if closed. */
  private boolean awaitClosed(long millis) {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!closed && nanos > 0) {
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
    Moment now = time.now();
    Progress reached = progress.get();
    RunEntry next =
        entry.with(
            state,
            now.service() + settings.lease(),
            reached.tasks(),
            reached.sent(),
            reached.counts(),
            now.service());
    try {
      boolean mine = runs.update(next);
      lock.lock();
      try {
        if (mine) {
          entry = next;
          end = now.plus(settings.lease());
        } else {
          closed = true;
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      if (!mine) {
        lost.accept(
            new CloudKonException(
                "run %s is collected by another client now; this one ends and has changed nothing since"
                    .formatted(entry.run())));
      }
      return mine;
    } catch (TransientServiceException e) {
      LOG.debug("could not renew the lease of run {}: {}", entry.run(), e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      // Nobody would renew it any more, and everybody wait for it for ever.
      giveUp();
      lost.accept(e);
      return false;
    }
  }

  private void giveUp() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
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
        changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the run: nobody will take results any more. Tried a few times; a run that stays OPEN
   * expires by itself.
   *
   * @param tries how often at most
   */
  public void end(int tries) throws InterruptedException {
    close();
    boolean ended = renew(RunEntry.State.ENDED);
    for (int i = 1; i < tries && !ended; i++) {
      pause();
      ended = renew(RunEntry.State.ENDED);
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
    giveUp();
    thread.join();
  }
}
