package io.cloudkon.client.dead;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time in which a command has letters in its hands. If the process is to end meanwhile (Ctrl-C,
 * SIGTERM), the reading stops, and the JVM waits up to {@link #GRACE} until the letters are put
 * back. Closed when they are. Thread safe.
 */
final class LetterReading implements AutoCloseable {
  /** Letters that are not put back by then reappear by themselves. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean stopped;

  private LetterReading() {
    hook = Thread.ofPlatform().name("cloudkon-letters-end").unstarted(this::stop);
  }

  /** Begins to listen. */
  static LetterReading begin() {
    LetterReading reading = new LetterReading();
    try {
      Runtime.getRuntime().addShutdownHook(reading.hook);
    } catch (IllegalStateException e) {
      reading.stopped = true; // the process is ending already
    }
    return reading;
  }

  /** Whether the process is to end, so that no more letters must be received. */
  boolean stopped() {
    return stopped;
  }

  /**
   * Returns if letters may be read or worked on.
   *
   * @throws InterruptedException if the process is to end
   */
  void check() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("the process ends");
    }
  }

  /** Stops the reading, and returns when the letters were put back, or after the grace. */
  void stop() {
    stopped = true;
    try {
      boolean unused = closed.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the hook runs, and returns now
    }
  }
}
