package io.cloudkon.worker.service;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Slows a worker down that receives nothing but bundles that it puts back. Thread safe.
 *
 * <ul>
 *   <li>Most bundles whose results can go nowhere would come back at once, each at the price of two
 *       requests, for as long as their client is away. A receive pauses 20 ms for each of them that
 *       came since the last one, but at most 200 ms, so such a worker looks at some 50 bundles a
 *       second. With a bundle that is begun there is no pause.
 *   <li>Bundles that need a bucket which refuses this worker are hidden from the others for 30 s. A
 *       receive pauses 100 ms after one of them, and twice as long after each further one until a
 *       task can start, but at most 5 s, so such a worker hides a few dozen at a time. Work that
 *       needs no bucket is not slowed down; while there is some, bundles are hidden as they come.
 * </ul>
 */
final class ReceivePace {
  private static final long EACH_MILLIS = 20;
  private static final long MOST_MILLIS = 200;
  private static final long FIRST_HINDERED_MILLIS = 100;
  private static final long MOST_HINDERED_MILLIS = 5_000;

  /** Doublings after which the pause is the longest anyway. */
  private static final int DOUBLINGS = 6;

  private final CountDownLatch never = new CountDownLatch(1);
  private int returned;
  private boolean begun;

  /** Those since a task could last start. */
  private final AtomicInteger hindered = new AtomicInteger();

  private final AtomicLong lastHindered = new AtomicLong(-1);

  /** A bundle is put back. */
  synchronized void returned() {
    returned++;
  }

  /** A bundle was begun. */
  synchronized void begun() {
    begun = true;
  }

  /**
   * A bundle is put back because this worker could not start one of its tasks.
   *
   * @param bundle the bundle's key; all of its tasks count once
   */
  void hindered(long bundle) {
    if (lastHindered.getAndSet(bundle) != bundle) {
      hindered.incrementAndGet();
    }
  }

  /** A task has what it needs and can start. Costs one read if nothing was hindered. */
  void starts() {
    if (hindered.get() != 0) {
      hindered.set(0);
    }
  }

  /** The pause before the next receive in milliseconds, according to what came since the last. */
  synchronized long next() {
    long pause = begun ? 0 : Math.min(EACH_MILLIS * returned, MOST_MILLIS);
    returned = 0;
    begun = false;
    return Math.max(pause, hinderedMillis());
  }

  private long hinderedMillis() {
    int count = hindered.get();
    return count == 0
        ? 0
        : Math.min(FIRST_HINDERED_MILLIS << Math.min(count - 1, DOUBLINGS), MOST_HINDERED_MILLIS);
  }

  /**
   * Waits before a receive.
   *
   * @throws InterruptedException if the worker stops receiving meanwhile
   */
  void await() throws InterruptedException {
    long pause = next();
    if (pause > 0) {
      boolean unused = never.await(pause, TimeUnit.MILLISECONDS);
    }
  }
}
