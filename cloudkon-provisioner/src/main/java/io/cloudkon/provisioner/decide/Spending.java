package io.cloudkon.provisioner.decide;

import io.cloudkon.core.time.TimeSource;

/** The cost of the fleet since the lease was taken. Used by one thread at a time. */
final class Spending {
  private static final double NANOS_PER_HOUR = 3_600e9;

  private final TimeSource time;
  private double spent;
  private double perHour;
  private long since;
  private long begunMillis;

  Spending(TimeSource time) {
    this.time = time;
    restart();
  }

  /** Starts counting from now on. */
  void restart() {
    spent = 0;
    perHour = 0;
    since = time.monotonicNanos();
    begunMillis = time.serviceMillis();
  }

  /** When it started; service clock, epoch milliseconds. */
  long begunMillis() {
    return begunMillis;
  }

  /**
   * Adds the cost since the last reading, at the price of that reading.
   *
   * @param usdPerHour the price from now on
   * @return the total in USD
   */
  double at(double usdPerHour) {
    long now = time.monotonicNanos();
    spent += perHour * (now - since) / NANOS_PER_HOUR;
    since = now;
    perHour = usdPerHour;
    return spent;
  }
}
