package io.cloudkon.worker.acknowledge;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BatchOutcome;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.worker.pipeline.Later;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the visibility of messages, up to ten to a call. The changes of one message are made in
 * the order of the requests: an extension must not be served after the message was put back,
 * because it would hide it from everybody for a whole lease. A change that still waits is replaced
 * by a later one of the same message. Messages that are put back go first. Two calls at a time
 * begin at once; beyond them, up to 16 in all, extensions wait for a full call. Failed changes are
 * repeated a few times. Thread safe.
 */
final class VisibilityChanges implements AutoCloseable {
  /** How long the end waits for messages that are put back. */
  static final Duration END = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(VisibilityChanges.class);
  private static final int CALLS = 16;

  /** The calls that wait for no others, so that one that hangs does not hold up the rest. */
  private static final int PROMPT_CALLS = 2;

  private static final int TRIES = 8;

  private final RequestQueue queue;
  private final Later later;
  private final BackOff backOff;
  private final Duration end;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition callEnded = lock.newCondition();

  /** The changes that wait for a call, by handle. */
  private final Map<String, Change> putBacks = new LinkedHashMap<>();

  private final Map<String, Change> extensions = new LinkedHashMap<>();

  /** The changes that failed and wait to be repeated, by handle. */
  private final Map<String, Change> failed = new HashMap<>();

  /** The handles of the changes whose calls are under way; others of these messages wait. */
  private final Set<String> underWay = new HashSet<>();

  private int calls;
  private boolean closed;

  /** A change that was requested. It does not change any more once its call has begun. */
  static final class Change {
    private final String handle;
    private final CountDownLatch made = new CountDownLatch(1);
    private boolean putsBack;
    private long millis;
    private int tries;

    private Change(String handle) {
      this.handle = handle;
    }

    private void becomes(boolean puttingBack, long hiddenMillis) {
      putsBack = puttingBack;
      millis = hiddenMillis;
      tries = 0;
    }

    /** Blocks until the change was made, or is given up; an interrupt ends the wait. */
    void await() {
      try {
        made.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void over() {
      made.countDown();
    }

    /** In whole seconds, rounded up. */
    private VisibilityChange request() {
      return new VisibilityChange(handle, Duration.ofSeconds((millis + 999) / 1000));
    }
  }

  /**
   * No change is under way.
   *
   * @param end how long {@link #close} may take
   */
  VisibilityChanges(RequestQueue queue, Later later, BackOff backOff, Duration end) {
    this.queue = queue;
    this.later = later;
    this.backOff = backOff;
    this.end = end;
  }

  /** Requests that a message of this worker stays hidden for that time; returns at once. */
  void extend(String handle, long millis) {
    lock.lock();
    try {
      if (!closed) {
        var unused = request(handle, millis, false);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Requests that a message that is put back is hidden for that time; returns at once, unless this
   * is closed. Then it is one call of the caller.
   */
  Change putBack(String handle, long millis) {
    lock.lock();
    try {
      if (!closed) {
        return request(handle, millis, true);
      }
    } finally {
      lock.unlock();
    }
    Change alone = new Change(handle);
    alone.becomes(true, millis);
    var unused = call(List.of(alone));
    alone.over();
    return alone;
  }

  // ---- with the lock

  private Map<String, Change> waiting(boolean putsBack) {
    return putsBack ? putBacks : extensions;
  }

  private Change request(String handle, long millis, boolean putsBack) {
    Map<String, Change> waiting = waiting(putsBack);
    Change change = waiting.get(handle);
    if (change == null) {
      change = waiting(!putsBack).remove(handle);
    }
    if (change == null) {
      change = failed.remove(handle);
    }
    if (change == null) {
      change = new Change(handle);
    }
    change.becomes(putsBack, millis);
    waiting.put(handle, change);
    startCalls();
    return change;
  }

  private void startCalls() {
    while (calls < CALLS) {
      boolean due =
          calls < PROMPT_CALLS
              || putBacks.size() + extensions.size() >= Limits.BATCH
              || putBacks.keySet().stream().anyMatch(handle -> !underWay.contains(handle));
      List<Change> batch = due ? nextBatch() : List.of();
      if (batch.isEmpty()) {
        return;
      }
      calls++;
      Thread.ofVirtual().name("cloudkon-visibility").start(() -> make(batch));
    }
  }

  private List<Change> nextBatch() {
    List<Change> batch = new ArrayList<>(Limits.BATCH);
    for (Map<String, Change> waiting : List.of(putBacks, extensions)) {
      waiting.values().stream()
          .filter(change -> !underWay.contains(change.handle))
          .limit(Limits.BATCH - batch.size())
          .forEach(batch::add);
    }
    for (Change change : batch) {
      waiting(change.putsBack).remove(change.handle);
      underWay.add(change.handle);
    }
    return batch;
  }

  private void notMade(Change change, BatchFailure why) {
    LOG.debug("could not change a message's visibility: {}", why.reason());
    change.tries++;
    boolean replaced = putBacks.containsKey(change.handle) || extensions.containsKey(change.handle);
    if (replaced || !why.retryable() || change.tries >= TRIES || (closed && !change.putsBack)) {
      change.over();
    } else if (closed) {
      putBacks.put(change.handle, change);
    } else {
      failed.put(change.handle, change);
      later.after(backOff.millis(change.tries), () -> repeat(change));
    }
  }

  // ---- without it

  private void make(List<Change> batch) {
    BatchOutcome<Change> outcome = call(batch);
    lock.lock();
    try {
      calls--;
      batch.forEach(change -> underWay.remove(change.handle));
      outcome.tell(Change::over, this::notMade);
      startCalls();
      callEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private BatchOutcome<Change> call(List<Change> batch) {
    try {
      return BatchOutcome.of(
          batch, queue.changeVisibilities(batch.stream().map(Change::request).toList()));
    } catch (RuntimeException | Error e) {
      // Catches everything: a change without an answer would hold up the others of its message.
      return BatchOutcome.allFailed(batch, e);
    }
  }

  private void repeat(Change change) {
    lock.lock();
    try {
      if (failed.remove(change.handle, change)) {
        waiting(change.putsBack).put(change.handle, change);
        startCalls();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops extensions that wait, as nothing is in hand any more, and waits for what is put back: 2 s
   * at most, because the queue may not answer.
   */
  @Override
  public void close() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      closed = true;
      List<Change> repeated = List.copyOf(failed.values());
      failed.clear();
      repeated.forEach(change -> waiting(change.putsBack).put(change.handle, change));
      drop(extensions);
      startCalls();
      long left = end.toNanos();
      while (left > 0 && (calls > 0 || !putBacks.isEmpty())) {
        left = callEnded.awaitNanos(left);
      }
      drop(putBacks);
    } finally {
      lock.unlock();
    }
  }

  private static void drop(Map<String, Change> changes) {
    changes.values().forEach(Change::over);
    changes.clear();
  }
}
