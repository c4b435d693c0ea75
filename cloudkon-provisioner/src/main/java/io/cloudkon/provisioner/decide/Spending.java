package io.cloudkon.provisioner.decide;

import io.cloudkon.core.time.TimeSource;

/** The cost of the fleet since the lease was taken. Used by one thread at a time. */
final class Spending {
  private static final double NANOS_PER_HOUR = 3_600e9;

  private final TimeSource time;
  private double spent;
  private double perHour;
  private long since;

  Spending(TimeSource time) {
    this.time = time;
    this.since = time.monotonicNanos();
  }

  /** From now on. */
  void restart() {
    spent = 0;
    perHour = 0;
    since = time.monotonicNanos();
  }

  /**
   * The fleet has cost as much as it did at the last look, until now.
   *
   * @param usdPerHour what it costs from now on
   * @return USD in all
   */
  double at(double usdPerHour) {
    long now = time.monotonicNanos();
    spent += perHour * (now - since) / NANOS_PER_HOUR;
    since = now;
    perHour = usdPerHour;
    return spent;
  }
}
