package io.cloudkon.core.time;

/** The three clocks that the protocol looks at. Thread safe. */
public interface TimeSource {

  /**
   * A clock that only moves forward and stands still while the machine is suspended; nanoseconds,
   * any origin.
   */
  long monotonicNanos();

  /** This machine's wall clock, epoch microseconds: for stamps. */
  long wallMicros();

  /** The service's clock as far as it is known, epoch milliseconds: for leases. */
  long serviceMillis();

  /** Both clocks that a lease is measured by. */
  default Moment now() {
    return new Moment(monotonicNanos() / 1_000_000, serviceMillis());
  }
}
