package io.cloudkon.client.session;

import io.cloudkon.core.time.TimeSource;

/** A clock by which the service's is further on than by the other one: leases are over sooner. */
record Ahead(TimeSource time, long millis) implements TimeSource {
  @Override
  public long monotonicNanos() {
    return time.monotonicNanos();
  }

  @Override
  public long wallMicros() {
    return time.wallMicros();
  }

  @Override
  public long serviceMillis() {
    return time.serviceMillis() + millis;
  }
}
