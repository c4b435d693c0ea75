package io.cloudkon.client.session;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits between polls of something that sends no event. Thread safe. */
@FunctionalInterface
public interface Pause {
  /** Waits so long. */
  void millis(long millis) throws InterruptedException;

  /** Real time. */
  static Pause real() {
    CountDownLatch never = new CountDownLatch(1);
    return millis -> {
      var unused = never.await(millis, TimeUnit.MILLISECONDS);
    };
  }
}
