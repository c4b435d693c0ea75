package io.cloudkon.worker.service;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Slows a worker down that receives nothing but bundles that it makes visible again at once. They
 * would come back at once, each at the price of two requests, for as long as their client is away.
 * The pause before a receive doubles up to 200 ms, which still looks at some 50 messages a second,
 * and ends with the first bundle that is begun. Thread safe.
 */
final class ReceivePace {
  private static final long FIRST_MILLIS = 20;
  private static final long MOST_MILLIS = 200;

  private final CountDownLatch never = new CountDownLatch(1);
  private boolean returned;
  private boolean begun;
  private long millis;

  /** A bundle was made visible again at once. */
  synchronized void returned() {
    returned = true;
  }

  /** A bundle was begun. */
  synchronized void begun() {
    begun = true;
  }

  /** The pause before the next receive in milliseconds, according to what came since the last. */
  synchronized long next() {
    boolean onlyReturned = returned && !begun;
    returned = false;
    begun = false;
    millis = onlyReturned ? Math.clamp(2 * millis, FIRST_MILLIS, MOST_MILLIS) : 0;
    return millis;
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
