package io.cloudkon.client.collect;

/** The number of threads that are taking results. Thread safe. */
final class InHand {
  private int threads;

  /** Whether some were not taken since the last wait. */
  private boolean left;

  synchronized void begin() {
    threads++;
  }

  /**
   * A thread has taken what it had.
   *
   * @param all whether it could take all of that
   */
  synchronized void end(boolean all) {
    threads--;
    left |= !all;
    notifyAll();
  }

  /**
   * Waits until no thread has anything in hand.
   *
   * @return whether any had, or had left something since the last call
   */
  synchronized boolean awaitNone() throws InterruptedException {
    boolean any = threads > 0;
    while (threads > 0) {
      wait();
    }
    any |= left;
    left = false;
    return any;
  }
}
