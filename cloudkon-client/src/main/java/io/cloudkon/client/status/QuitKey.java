package io.cloudkon.client.status;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the key {@code q} in a thread of its own, until it is pressed or this is closed. */
public final class QuitKey implements AutoCloseable {
  /** The interval between checks for a key; a blocking read could not be ended by closing this. */
  private static final long LOOK_MILLIS = 50;

  private final InputStream keys;
  private final Runnable quit;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Starts waiting. */
  public QuitKey(InputStream keys, Runnable quit) {
    this.keys = keys;
    this.quit = quit;
    this.thread = Thread.ofVirtual().name("cloudkon-keys").start(this::look);
  }

  private void look() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        while (keys.available() > 0) {
          int key = keys.read();
          if (key == 'q' || key == 'Q') {
            quit.run();
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // Without keys, Ctrl-C still works.
      return;
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    thread.join();
  }
}
