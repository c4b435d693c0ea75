package io.cloudkon.core.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects items while a call is under way and passes all of them to the next call. If no call is
 * under way, an item is sent at once; otherwise items are collected until the call returns. So a
 * single item is not delayed. If the cost of calls matters more than their duration, items may be
 * collected for longer, as long as more are certain to follow. Thread safe. Each lane is a named
 * virtual thread with at most one call under way.
 *
 * @param <T> the type of the items
 */
public final class NaturalBatcher<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NaturalBatcher.class);

  private final int maxItems;
  private final int maxBytes;
  private final int capacity;
  private final ToIntFunction<T> bytes;
  private final Consumer<List<T>> call;
  private final LongSupplier gatherMillis;
  private final Deque<T> waiting = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** For lanes: there is something to send or to look at again. Wakes one lane for one item. */
  private final Condition arrived = lock.newCondition();

  /** For {@link #add}. */
  private final Condition room = lock.newCondition();

  /** For {@link #awaitIdle}. */
  private final Condition idle = lock.newCondition();

  private final List<Thread> lanes = new ArrayList<>();
  private int calling;
  private boolean closed;

  /**
   * Starts the lanes.
   *
   * @param name the name of the threads
   * @param laneCount the maximum number of concurrent calls
   * @param maxItems the maximum number of items in one call
   * @param maxBytes the maximum number of bytes in one call, except for a single larger item
   * @param capacity the number of items that may wait before {@link #add} blocks
   * @param bytes the size of an item in bytes
   * @param call makes the call and handles the outcome of every item; must not throw. If it throws
   *     nevertheless, its batch is lost and logged, and its lane continues
   */
  public NaturalBatcher(
      String name,
      int laneCount,
      int maxItems,
      int maxBytes,
      int capacity,
      ToIntFunction<T> bytes,
      Consumer<List<T>> call) {
    this(name, laneCount, maxItems, maxBytes, capacity, bytes, call, () -> 0);
  }

  /**
   * Starts the lanes, like the other constructor.
   *
   * @param gatherMillis how long items may currently wait for a full batch, in milliseconds; called
   *     again with each new item, and by {@link #gatherAnew}; 0 means no wait
   */
  public NaturalBatcher(
      String name,
      int laneCount,
      int maxItems,
      int maxBytes,
      int capacity,
      ToIntFunction<T> bytes,
      Consumer<List<T>> call,
      LongSupplier gatherMillis) {
    this.gatherMillis = gatherMillis;
    this.maxItems = maxItems;
    this.maxBytes = maxBytes;
    this.capacity = capacity;
    this.bytes = bytes;
    this.call = call;
    for (int i = 0; i < laneCount; i++) {
      lanes.add(Thread.ofVirtual().name(name + '-' + i).start(this::lane));
    }
  }

  /**
   * Adds an item; blocks while too many wait. If there is room, an interrupted thread adds its
   * item, too, and stays interrupted.
   *
   * @throws IllegalStateException if closed
   * @throws InterruptedException if the thread is interrupted while it waits for room; the item was
   *     not added
   */
  public void add(T item) throws InterruptedException {
    lock.lock();
    try {
      while (waiting.size() >= capacity && !closed) {
        room.await();
      }
      if (closed) {
        throw new IllegalStateException("closed");
      }
      waiting.add(item);
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Asks again how long what gathers may wait. Cheap where nothing waits. */
  public void gatherAnew() {
    lock.lock();
    try {
      if (!waiting.isEmpty()) {
        arrived.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until no item waits and no call is under way. */
  public void awaitIdle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!waiting.isEmpty() || calling > 0) {
        idle.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void lane() {
    while (true) {
      List<T> batch;
      try {
        batch = next();
      } catch (RuntimeException | Error e) {
        // Nothing was taken: the lane goes on, as its items would wait for ever otherwise.
        LOG.error("{}: the next batch could not be taken", Thread.currentThread(), e);
        continue;
      }
      if (batch.isEmpty()) {
        return;
      }
      try {
        call.accept(batch);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: a batch of {} was not answered", Thread.currentThread(), batch.size(), e);
      } finally {
        // Lanes are ended by closing them; an interrupt that a call left would fail all later ones.
        boolean unused = Thread.interrupted();
        finished();
      }
    }
  }

  private List<T> next() {
    lock.lock();
    try {
      do {
        while (waiting.isEmpty() && !closed) {
          arrived.awaitUninterruptibly();
        }
        gather();
        // Another lane may have taken the collected items.
      } while (waiting.isEmpty() && !closed);
      List<T> batch = new ArrayList<>(Math.min(maxItems, waiting.size()));
      int size = 0;
      while (batch.size() < maxItems && !waiting.isEmpty()) {
        int more = bytes.applyAsInt(waiting.getFirst());
        if (!batch.isEmpty() && size + more > maxBytes) {
          break;
        }
        size += more;
        batch.add(waiting.removeFirst());
      }
      if (!batch.isEmpty()) {
        calling++;
        room.signalAll();
      }
      if (!waiting.isEmpty()) {
        arrived.signal(); // the next lane takes the rest
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void gather() {
    long left = TimeUnit.MILLISECONDS.toNanos(gatherMillis.getAsLong());
    while (left > 0
        && !closed
        && !waiting.isEmpty()
        && waiting.size() < maxItems
        && gatherMillis.getAsLong() > 0) {
      try {
        left = arrived.awaitNanos(left);
      } catch (InterruptedException e) {
        // Lanes are ended by closing them: waiting items are sent at once.
        LOG.debug("{} was interrupted", Thread.currentThread());
        return;
      }
    }
  }

  private void finished() {
    lock.lock();
    try {
      calling--;
      idle.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Accepts no more items; waiting ones are still sent. Returns when the lanes have ended. */
  @Override
  public void close() throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
    for (Thread lane : lanes) {
      lane.join();
    }
  }
}
