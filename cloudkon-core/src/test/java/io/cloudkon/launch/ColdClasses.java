package io.cloudkon.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program whose virtual threads meet a class that nobody has initialized yet, while what its
 * initializer needs is held by one that waits. Prints whether they all came through.
 */
public final class ColdClasses {
  private static final Object NEEDED = new Object();

  private ColdClasses() {}

  private static final class Cold {
    static final Object READY;

    static {
      synchronized (NEEDED) {
        READY = new Object();
      }
    }

    private Cold() {}
  }

  /** Starts here, as a program that {@link Main} hands over to. */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch met = new CountDownLatch(2);
    CountDownLatch through = new CountDownLatch(3);
    Thread unusedHolder =
        Thread.ofVirtual()
            .start(() -> {
              synchronized (NEEDED) {
                held.countDown();
                // off its carrier until both of the others are about to keep theirs
                await(met);
              }
              through.countDown();
            });
    held.await();
    for (int i = 0; i < 2; i++) {
      Thread unused =
          Thread.ofVirtual()
              .start(() -> {
                met.countDown();
                Object ready = Cold.READY;
                synchronized (ready) {
                  through.countDown();
                }
              });
    }
    System.out.println(through.await(20, TimeUnit.SECONDS) ? "through" : "stuck");
    System.exit(0);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
