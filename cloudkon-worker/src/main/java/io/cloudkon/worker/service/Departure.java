package io.cloudkon.worker.service;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a worker's departure. Thread safe. */
final class Departure {
  private final TimeSource time;
  private final long begunNanos;
  private final AtomicBoolean draining = new AtomicBoolean();

  /** The age in nanoseconds at which tasks that still run are killed. */
  private final AtomicLong drainUntil = new AtomicLong(Long.MAX_VALUE);

  private final CountDownLatch left = new CountDownLatch(1);
  private volatile boolean failed;
  private volatile boolean leaving;
  private volatile boolean sick;

  /** The departure of a worker that starts now. */
  Departure(TimeSource time) {
    this.time = time;
    this.begunNanos = time.monotonicNanos();
  }

  /**
   * Starts to drain; running tasks may continue for that time. A repeated call can shorten the time
   * but not extend it.
   *
   * @return whether this is the first call
   */
  boolean drain(Duration longest) {
    drainUntil.accumulateAndGet(ageNanos() + longest.toNanos(), Math::min);
    return draining.compareAndSet(false, true);
  }

  boolean draining() {
    return draining.get();
  }

  /** Whether running tasks are to be killed. */
  boolean timeIsUp() {
    return timeIsUpFor(Duration.ZERO);
  }

  /** Whether the time has been up for that long. */
  boolean timeIsUpFor(Duration since) {
    return draining.get() && ageNanos() - since.toNanos() >= drainUntil.get();
  }

  /**
   * Ends the worker at once, without settling what it has in hand, because a task cannot be stopped
   * that another worker may start: only the end of the process stops it.
   */
  void leave() {
    leaving = true;
    left.countDown();
  }

  /** Waits until {@link #leave} was called. */
  void awaitLeave() throws InterruptedException {
    left.await();
  }

  boolean leaving() {
    return leaving;
  }

  /** Records that the worker drains because it is sick. */
  void endSick() {
    sick = true;
  }

  boolean sick() {
    return sick;
  }

  /** Ends the worker at once because of an internal error. */
  void fail() {
    failed = true;
    leaving = true;
  }

  boolean failed() {
    return failed;
  }

  private long ageNanos() {
    return time.monotonicNanos() - begunNanos;
  }
}
