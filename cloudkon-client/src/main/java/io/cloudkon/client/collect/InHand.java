package io.cloudkon.client.collect;

/** The number of receives whose messages are being taken. Thread safe. */
final class InHand {
  private int receives;

  synchronized void begin() {
    receives++;
  }

  synchronized void end() {
    receives--;
    notifyAll();
  }

  /** Waits until there are none; returns whether there were any. */
  synchronized boolean awaitNone() throws InterruptedException {
    boolean any = receives > 0;
    while (receives > 0) {
      wait();
    }
    return any;
  }
}
