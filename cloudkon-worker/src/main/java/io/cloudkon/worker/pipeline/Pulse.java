package io.cloudkon.worker.pipeline;

import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The time at which the worker's loop last looked at every lease. A slot before each start and a
 * sender before each send wait for a look that is recent: so after a pause of the whole process the
 * loop ends what is over before anybody goes on with it. Thread safe.
 */
public final class Pulse {
  private static final long LEAST_MILLIS = 250;
  private static final long LOOK_NANOS = 2_000_000;

  private final TimeSource time;
  private final long freshMillis;
  private volatile Moment freshUntil;

  /**
   * Begins with a look that was just taken.
   *
   * @param marginMillis how long before its end an owner's lease counts as over; half of it is how
   *     old a look may be
   */
  public Pulse(TimeSource time, long marginMillis) {
    this.time = time;
    this.freshMillis = Math.max(LEAST_MILLIS, marginMillis / 2);
    this.freshUntil = time.now().plus(freshMillis);
  }

  /** Every lease was looked at, as of then, and what was over is abandoned by now. */
  public void beat(Moment looked) {
    freshUntil = looked.plus(freshMillis);
  }

  /**
   * Returns when the last look is recent.
   *
   * @return false if the bundle is not to be run here any more, and no result of it to be sent
   */
  public boolean allows(BundleInHand inHand) {
    while (!inHand.abandoned() && time.now().eitherPast(freshUntil)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return !inHand.abandoned();
  }
}
