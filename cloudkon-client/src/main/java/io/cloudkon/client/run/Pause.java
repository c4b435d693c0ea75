package io.cloudkon.client.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits between polls of something that sends no events. Thread safe. */
@FunctionalInterface
public interface Pause {
  /** Waits for that many milliseconds. */
  void millis(long millis) throws InterruptedException;

  /** A pause in real time. */
  static Pause real() {
    CountDownLatch never = new CountDownLatch(1);
    return millis -> {
      var unused = never.await(millis, TimeUnit.MILLISECONDS);
    };
  }
}
