package io.cloudkon.worker.acknowledge;

import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the visibility of messages, ten to a call, in the order of the requests. A change that
 * still waits is replaced by a later one of the same message: an extension must not be served after
 * the message was put back, because it would hide it from everybody for a whole lease. Failures are
 * ignored. Thread safe.
 */
final class VisibilityLane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VisibilityLane.class);

  private final RequestQueue queue;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Change> waiting = new HashMap<>();
  private final NaturalBatcher<Change> changes;

  /** A change that was requested. */
  static final class Change {
    private final String handle;
    private final CountDownLatch made = new CountDownLatch(1);

    /** How long the message is to be hidden; final once the change does not wait any more. */
    private volatile long millis;

    private Change(String handle, long millis) {
      this.handle = handle;
      this.millis = millis;
    }

    /** Blocks until the change was made, or has failed; an interrupt ends the wait. */
    void await() {
      try {
        made.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** In whole seconds, rounded up. */
    private VisibilityChange request() {
      return new VisibilityChange(handle, Duration.ofSeconds((millis + 999) / 1000));
    }
  }

  /** Starts the lane. */
  VisibilityLane(RequestQueue queue) {
    this.queue = queue;
    this.changes =
        new NaturalBatcher<>(
            "cloudkon-visibility",
            1,
            Limits.BATCH,
            Limits.BATCH,
            Integer.MAX_VALUE,
            change -> 1,
            this::make);
  }

  /** Requests that a message is hidden for that time; returns at once, unless it is closed. */
  Change hide(String handle, long millis) {
    lock.lock();
    try {
      Change before = waiting.get(handle);
      if (before != null) {
        before.millis = millis;
        return before;
      }
      Change change = new Change(handle, millis);
      changes.add(change);
      waiting.put(handle, change);
      return change;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      LOG.debug("closed: the change is made by its caller");
    } finally {
      lock.unlock();
    }
    Change alone = new Change(handle, millis);
    make(List.of(alone));
    return alone;
  }

  private void make(List<Change> batch) {
    lock.lock();
    try {
      batch.forEach(change -> waiting.remove(change.handle, change));
    } finally {
      lock.unlock();
    }
    try {
      queue
          .changeVisibilities(batch.stream().map(Change::request).toList())
          .forEach(failure ->
              LOG.debug("could not change a message's visibility: {}", failure.reason()));
    } catch (RuntimeException | Error e) {
      LOG.debug("could not change the visibility of {} messages: {}", batch.size(), e.toString());
    } finally {
      batch.forEach(change -> change.made.countDown());
    }
  }

  /** Makes the waiting changes, and ends. */
  @Override
  public void close() throws InterruptedException {
    changes.close();
  }
}
