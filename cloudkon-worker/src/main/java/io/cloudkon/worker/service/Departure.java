package io.cloudkon.worker.service;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a worker on its way out. Thread safe. */
final class Departure {
  private final TimeSource time;
  private final long begunNanos;
  private final AtomicBoolean draining = new AtomicBoolean();

  /** At what age whatever still runs is killed. */
  private final AtomicLong drainUntil = new AtomicLong(Long.MAX_VALUE);

  private volatile boolean failed;
  private volatile boolean leaving;
  private volatile boolean sick;

  /** A worker that starts now. */
  Departure(TimeSource time) {
    this.time = time;
    this.begunNanos = time.monotonicNanos();
  }

  /**
   * It is to drain; what runs may go on for so long. Said again, it may get less time, but not
   * more.
   *
   * @return whether this is the first time
   */
  boolean drain(Duration longest) {
    drainUntil.accumulateAndGet(ageNanos() + longest.toNanos(), Math::min);
    return draining.compareAndSet(false, true);
  }

  boolean draining() {
    return draining.get();
  }

  /** Whether what runs is to be killed. */
  boolean timeIsUp() {
    return timeIsUpFor(Duration.ZERO);
  }

  /** Whether that was so long ago. */
  boolean timeIsUpFor(Duration since) {
    return draining.get() && ageNanos() - since.toNanos() >= drainUntil.get();
  }

  /** It ends at once, without settling what it has in hand. */
  void leave() {
    leaving = true;
  }

  boolean leaving() {
    return leaving;
  }

  /** It drains, as it is sick. */
  void endSick() {
    sick = true;
  }

  boolean sick() {
    return sick;
  }

  /** It ends at once, by a mistake of ours. */
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
