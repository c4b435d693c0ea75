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
 * Collects items while a call is under way, and hands all of them to the next one: nothing in
 * flight, an item goes at once; something in flight, items gather until it returns. So a lonely
 * item is not delayed. Where calls cost more than they take time, items may gather for longer, as
 * long as more are sure to come. Thread safe. Each lane is a named virtual thread with at most one
 * call under way.
 *
 * @param <T> what is batched
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
  private final Condition changed = lock.newCondition();
  private final List<Thread> lanes = new ArrayList<>();
  private int calling;
  private boolean closed;

  /**
   * Starts the lanes.
   *
   * @param name of the threads
   * @param laneCount calls that may be under way at a time
   * @param maxItems items in one call at most
   * @param maxBytes bytes in one call at most, but for a single item that is larger
   * @param capacity items that may wait before {@link #add} blocks
   * @param bytes an item's size
   * @param call makes the call and answers for every item; must not throw. Should it throw all the
   *     same, its batch is lost and logged, and its lane goes on
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
   * Starts the lanes, as the other does.
   *
   * @param gatherMillis how long items may wait now for a full batch, in milliseconds; asked again
   *     with each item that comes, and by {@link #gatherAnew}; 0 for not at all
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
   * Adds an item; blocks while too many wait.
   *
   * @throws IllegalStateException if closed
   */
  public void add(T item) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= capacity && !closed) {
        changed.await();
      }
      if (closed) {
        throw new IllegalStateException("closed");
      }
      waiting.add(item);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Asks again how long what gathers may wait. Cheap where nothing waits. */
  public void gatherAnew() {
    lock.lock();
    try {
      if (!waiting.isEmpty()) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing waits and no call is under way. */
  public void awaitIdle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!waiting.isEmpty() || calling > 0) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void lane() {
    while (true) {
      List<T> batch = next();
      if (batch.isEmpty()) {
        return;
      }
      try {
        call.accept(batch);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: a batch of {} was not answered", Thread.currentThread(), batch.size(), e);
      } finally {
        finished();
      }
    }
  }

  private List<T> next() {
    lock.lock();
    try {
      do {
        while (waiting.isEmpty() && !closed) {
          changed.awaitUninterruptibly();
        }
        gather();
        // Another lane may have taken what gathered.
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
        changed.signalAll();
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
        left = changed.awaitNanos(left);
      } catch (InterruptedException e) {
        // Lanes are ended by closing them: what waits goes at once.
        LOG.debug("{} was interrupted", Thread.currentThread());
        return;
      }
    }
  }

  private void finished() {
    lock.lock();
    try {
      calling--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more; what waits is still sent. Returns when the lanes have ended. */
  @Override
  public void close() throws InterruptedException {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    for (Thread lane : lanes) {
      lane.join();
    }
  }
}
