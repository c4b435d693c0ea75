package io.cloudkon.core.time;

/** The three clocks that the protocol uses. Thread safe. */
public interface TimeSource {

  /**
   * A clock that only moves forward and may stand still while the machine is suspended; nanoseconds
   * from any origin.
   */
  long monotonicNanos();

  /** This machine's wall clock in epoch microseconds, for time stamps. */
  long wallMicros();

  /** The service's clock as far as it is known, in epoch milliseconds, for leases. */
  long serviceMillis();

  /**
   * The current moment on both clocks by which leases are measured. Its leap is 0 where the
   * service's clock is this machine's.
   */
  default Moment now() {
    return new Moment(monotonicNanos() / 1_000_000, serviceMillis());
  }
}
