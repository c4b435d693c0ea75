package io.cloudkon.core.memory;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.VisibilityChange;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One queue: what SQS does with messages. Ready messages come in the order in which they became
 * ready. Visibility runs by the monotonic clock, retention by the service's. Thread safe; a receive
 * that waits wakes when a message comes, when one becomes visible, or by {@link #wake}.
 */
final class MessageBuffer {
  private static final long RETENTION_MILLIS = Duration.ofDays(14).toMillis();
  private static final long LONGEST_VISIBILITY_NANOS = Duration.ofHours(12).toNanos();
  private static final long SHORTEST_PAUSE_NANOS = 1_000_000;

  private final String name;
  private final TimeSource time;
  private final QueueHabits habits;
  private final SplittableRandom random;
  private final AtomicLong numbers;
  private final long origin;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Long, StoredMessage> all = new HashMap<>();
  private final TreeSet<StoredMessage> ready = new TreeSet<>(StoredMessage.BY_RANK);
  private final TreeSet<StoredMessage> hidden = new TreeSet<>(StoredMessage.BY_VISIBLE_AT);
  private long ranks;
  private boolean exists;

  /**
   * A queue that does not exist yet.
   *
   * @param numbers gives each message of the cloud its number
   */
  MessageBuffer(
      String name,
      TimeSource time,
      QueueHabits habits,
      SplittableRandom random,
      AtomicLong numbers) {
    this.name = name;
    this.time = time;
    this.habits = habits;
    this.random = random;
    this.numbers = numbers;
    this.origin = time.monotonicNanos();
  }

  String name() {
    return name;
  }

  void create() {
    lock.lock();
    try {
      exists = true;
    } finally {
      lock.unlock();
    }
  }

  /** Removes the queue and what it holds; receives that wait fail. */
  void remove() {
    lock.lock();
    try {
      exists = false;
      all.clear();
      ready.clear();
      hidden.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<BatchFailure> send(List<OutgoingMessage> batch) {
    List<BatchFailure> failures = Batches.checkSizes(name, batch);
    lock.lock();
    try {
      checkExists();
      long sent = time.serviceMillis();
      for (OutgoingMessage message : batch) {
        if (failures.isEmpty() || Batches.fits(message)) {
          StoredMessage stored = new StoredMessage(numbers.incrementAndGet(), message, sent);
          all.put(stored.number, stored);
          makeReady(stored);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return failures;
  }

  List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    Batches.checkMax(max);
    lock.lockInterruptibly();
    try {
      long deadline = now() + wait.toNanos();
      while (true) {
        checkExists();
        long now = now();
        surface(now);
        List<ReceivedMessage> taken = take(max, now, visibility.toNanos());
        if (!taken.isEmpty() || now >= deadline) {
          return taken;
        }
        pause(now, deadline);
      }
    } finally {
      lock.unlock();
    }
  }

  List<BatchFailure> delete(List<String> handles) {
    Batches.check(handles);
    List<BatchFailure> failures = new ArrayList<>(0);
    lock.lock();
    try {
      checkExists();
      boolean full = hidden.size() >= habits.inFlightLimit();
      for (int i = 0; i < handles.size(); i++) {
        Handle handle = Handle.parse(handles.get(i));
        if (handle == null) {
          failures.add(new BatchFailure(i, "no receive handle: " + handles.get(i), false));
          continue;
        }
        StoredMessage message = all.get(handle.number());
        if (message != null && obeys(message, handle)) {
          forget(message);
        }
      }
      if (full) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    return failures;
  }

  void changeVisibility(String text, Duration visibility) {
    Handle handle = Handle.parse(text);
    if (handle == null) {
      throw new CloudKonException("queue '%s': no receive handle: %s".formatted(name, text));
    }
    lock.lock();
    try {
      checkExists();
      hide(handle, visibility);
    } finally {
      lock.unlock();
    }
  }

  List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    Batches.check(batch);
    List<BatchFailure> failures = new ArrayList<>(0);
    lock.lock();
    try {
      checkExists();
      for (int i = 0; i < batch.size(); i++) {
        Handle handle = Handle.parse(batch.get(i).handle());
        if (handle == null) {
          failures.add(new BatchFailure(i, "no receive handle: " + batch.get(i).handle(), false));
        } else {
          hide(handle, batch.get(i).visibility());
        }
      }
    } finally {
      lock.unlock();
    }
    return failures;
  }

  /** Hides a message for this time; called with the lock. */
  private void hide(Handle handle, Duration visibility) {
    long now = now();
    surface(now);
    StoredMessage message = all.get(handle.number());
    long until = now + visibility.toNanos();
    if (message == null
        || !message.inFlight
        || !obeys(message, handle)
        || until > message.receivedAt + LONGEST_VISIBILITY_NANOS) {
      return;
    }
    hidden.remove(message);
    message.visibleAt = until;
    hidden.add(message);
    surface(now);
    changed.signalAll();
  }

  QueueDepth depth() {
    lock.lock();
    try {
      checkExists();
      surface(now());
      return new QueueDepth(ready.size(), hidden.size(), 0);
    } finally {
      lock.unlock();
    }
  }

  /** Lets receives that wait look at the time again. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return time.monotonicNanos() - origin;
  }

  private void checkExists() {
    if (!exists) {
      throw new MissingResourceException("queue", name, null);
    }
  }

  private boolean obeys(StoredMessage message, Handle handle) {
    return habits.outdatedHandlesWork() || message.isCurrent(handle);
  }

  /** Makes ready what is hidden no longer. */
  private void surface(long now) {
    while (!hidden.isEmpty() && hidden.first().visibleAt <= now) {
      StoredMessage message = hidden.removeFirst();
      message.inFlight = false;
      makeReady(message);
    }
  }

  private void makeReady(StoredMessage message) {
    int back = habits.disorder() == 0 ? 0 : random.nextInt(habits.disorder() + 1);
    message.rank = ranks++ + back;
    ready.add(message);
  }

  private List<ReceivedMessage> take(int max, long now, long visibilityNanos) {
    List<ReceivedMessage> taken = new ArrayList<>(Math.min(max, ready.size()));
    long oldest = time.serviceMillis() - RETENTION_MILLIS;
    while (taken.size() < max && !ready.isEmpty() && hidden.size() < habits.inFlightLimit()) {
      StoredMessage message = ready.removeFirst();
      if (message.sentMillis <= oldest) {
        all.remove(message.number);
        continue;
      }
      taken.add(message.receive(now, visibilityNanos));
      hidden.add(message);
    }
    return taken;
  }

  private void forget(StoredMessage message) {
    all.remove(message.number);
    if (message.inFlight) {
      hidden.remove(message);
    } else {
      ready.remove(message);
    }
  }

  /** Waits for a change, for the next message to become visible, or for the deadline. */
  @SuppressWarnings("WaitNotInLoop") // its caller loops
  private void pause(long now, long deadline) throws InterruptedException {
    long until = hidden.isEmpty() ? deadline : Math.min(deadline, hidden.first().visibleAt);
    // a clock that is turned by hand may not move at all meanwhile; that must not become a spin
    long unused = changed.awaitNanos(Math.max(until - now, SHORTEST_PAUSE_NANOS));
  }
}
