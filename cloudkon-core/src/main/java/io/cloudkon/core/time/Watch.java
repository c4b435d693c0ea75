package io.cloudkon.core.time;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at something from time to time, on a virtual thread of its own, until nothing is left to
 * see or the watch is stopped. An unexpected exception or error does not end it: the next look
 * follows after the last pause, but not before a second has passed, and later with each further
 * failure in a row, up to a minute. The first is logged at WARN, further ones at DEBUG. Thread
 * safe.
 */
public final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** Keeps a look that fails each time from occupying the processor or a service. */
  private static final Duration LEAST_AFTER_FAILURE = Duration.ofSeconds(1);

  private static final Duration MOST_AFTER_FAILURE = Duration.ofMinutes(1);

  private final String name;
  private final Look look;
  private final Duration leastAfterFailure;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  /** Whether the last look failed; used by the thread alone. */
  private boolean failing;

  /** A single look. */
  @FunctionalInterface
  public interface Look {

    /**
     * Looks once, on the watch's thread; expected failures are handled here.
     *
     * @return the time until the next look; empty if there is none
     * @throws InterruptedException if the watch is closed meanwhile, which ends it
     */
    Optional<Duration> look() throws InterruptedException;
  }

  /**
   * A watch that has not started.
   *
   * @param name the name of its thread
   * @param first the time from the start to the first look
   */
  public Watch(String name, Duration first, Look look) {
    this(name, first, look, LEAST_AFTER_FAILURE);
  }

  /**
   * A watch with another pause after failures.
   *
   * @param leastAfterFailure the least time between a failed look and the next one; default 1 s
   */
  Watch(String name, Duration first, Look look, Duration leastAfterFailure) {
    this.name = name;
    this.look = look;
    this.leastAfterFailure = leastAfterFailure;
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> watch(first));
  }

  /** Starts it; may be called once. A watch that was stopped before makes no look. */
  public void start() {
    thread.start();
  }

  private void watch(Duration first) {
    try {
      Optional<Duration> pause = Optional.of(first);
      while (pause.isPresent() && !stopped.await(pause.get().toNanos(), TimeUnit.NANOSECONDS)) {
        pause = look(pause.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<Duration> look(Duration lastPause) throws InterruptedException {
    try {
      Optional<Duration> next = look.look();
      failing = false;
      return next;
    } catch (RuntimeException | Error e) {
      Duration again = failing ? longer(lastPause) : lastPause;
      Duration next = again.compareTo(leastAfterFailure) < 0 ? leastAfterFailure : again;
      failed(e, next);
      return Optional.of(next);
    }
  }

  /** Twice the pause, but no more than a minute, unless the pause itself is more. */
  private static Duration longer(Duration pause) {
    if (pause.compareTo(MOST_AFTER_FAILURE) >= 0) {
      return pause;
    }
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(MOST_AFTER_FAILURE) < 0 ? twice : MOST_AFTER_FAILURE;
  }

  private void failed(Throwable why, Duration next) {
    if (failing || stopped()) {
      LOG.debug("{} failed", name, why);
    } else {
      LOG.warn("{} failed unexpectedly and tries again in {} ms", name, next.toMillis(), why);
    }
    failing = true;
  }

  /** Lets no further look begin. Returns at once; one that is under way is not disturbed. */
  public void stop() {
    stopped.countDown();
  }

  /** Whether it was stopped or closed, which may be the reason why a look fails. */
  public boolean stopped() {
    return stopped.getCount() == 0;
  }

  /** Whether it has made its last look. */
  public boolean over() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  /** Waits until the thread has ended; returns at once if it was never started. */
  public void join() throws InterruptedException {
    thread.join();
  }

  /** Lets no further look begin, interrupts one that is under way, and waits for its end. */
  @Override
  public void close() throws InterruptedException {
    stop();
    thread.interrupt();
    join();
  }
}
