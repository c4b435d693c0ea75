package io.cloudkon.client.collect;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The number of threads that are taking results. Thread safe. */
final class InHand {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private int threads;

  /** Whether messages went back to their queue since the last wait. */
  private boolean returned;

  /** Counts the calling thread. */
  void begin() {
    lock.lock();
    try {
      threads++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts the calling thread no longer.
   *
   * @param returns whether it could not take some of its messages, which are received again
   */
  void end(boolean returns) {
    lock.lock();
    try {
      threads--;
      returned |= returns;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until no thread has anything in hand.
   *
   * @return whether messages went back to their queue since the last call
   */
  boolean awaitNone() throws InterruptedException {
    lock.lock();
    try {
      while (threads > 0) {
        ended.await();
      }
      boolean any = returned;
      returned = false;
      return any;
    } finally {
      lock.unlock();
    }
  }
}
