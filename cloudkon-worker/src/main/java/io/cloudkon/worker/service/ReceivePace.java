package io.cloudkon.worker.service;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Slows a worker down that receives nothing but bundles that it puts back. Most would come back at
 * once, each at the price of two requests, for as long as their client is away. A receive pauses 20
 * ms for each of them that came since the last one, but at most 200 ms, so such a worker looks at
 * some 50 bundles a second. With a bundle that is begun there is no pause. Thread safe.
 */
final class ReceivePace {
  private static final long EACH_MILLIS = 20;
  private static final long MOST_MILLIS = 200;

  private final CountDownLatch never = new CountDownLatch(1);
  private int returned;
  private boolean begun;

  /** A bundle is put back. */
  synchronized void returned() {
    returned++;
  }

  /** A bundle was begun. */
  synchronized void begun() {
    begun = true;
  }

  /** The pause before the next receive in milliseconds, according to what came since the last. */
  synchronized long next() {
    long pause = begun ? 0 : Math.min(EACH_MILLIS * returned, MOST_MILLIS);
    returned = 0;
    begun = false;
    return pause;
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
