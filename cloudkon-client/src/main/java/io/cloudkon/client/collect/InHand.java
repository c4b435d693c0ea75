package io.cloudkon.client.collect;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The number of threads that are taking results. Thread safe. */
final class InHand {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int threads;

  /** Whether some were not taken since the last wait. */
  private boolean left;

  void begin() {
    lock.lock();
    try {
      threads++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A thread has taken what it had.
   *
   * @param all whether it could take all of that
   */
  void end(boolean all) {
    lock.lock();
    try {
      threads--;
      left |= !all;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no thread has anything in hand.
   *
   * @return whether any had, or had left something since the last call
   */
  boolean awaitNone() throws InterruptedException {
    lock.lock();
    try {
      boolean any = threads > 0;
      while (threads > 0) {
        ended.await();
      }
      any |= left;
      left = false;
      return any;
    } finally {
      lock.unlock();
    }
  }
}
