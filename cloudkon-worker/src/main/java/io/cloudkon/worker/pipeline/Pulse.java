package io.cloudkon.worker.pipeline;

import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The time at which the worker's loop last checked every lease. A slot before each start and a
 * sender before each send wait for a recent check. So after a pause of the whole process, the loop
 * ends what is over before work on it continues. Thread safe.
 */
public final class Pulse {
  private static final long LEAST_MILLIS = 250;
  private static final long LOOK_NANOS = 2_000_000;

  private final TimeSource time;
  private final long freshMillis;
  private volatile Moment freshUntil;

  /**
   * Begins with a check that has just been made.
   *
   * @param marginMillis how long before its end an owner's lease counts as over; a check is recent
   *     for half of it
   */
  public Pulse(TimeSource time, long marginMillis) {
    this.time = time;
    this.freshMillis = Math.max(LEAST_MILLIS, marginMillis / 2);
    this.freshUntil = time.now().plus(freshMillis);
  }

  /**
   * Records that every lease was checked at that time, and that everything over has been abandoned.
   */
  public void beat(Moment looked) {
    freshUntil = looked.plus(freshMillis);
  }

  /**
   * Waits until the last check is recent.
   *
   * @return false if the bundle must not run here any more and no result of it may be sent
   */
  public boolean allows(BundleInHand inHand) {
    while (!inHand.abandoned() && time.now().eitherPast(freshUntil)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return !inHand.abandoned();
  }
}
