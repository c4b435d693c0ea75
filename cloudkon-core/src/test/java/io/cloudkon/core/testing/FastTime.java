package io.cloudkon.core.testing;

import io.cloudkon.core.time.SystemTime;
import io.cloudkon.core.time.TimeSource;

/** Clocks that run several times as fast as the machine's. */
public final class FastTime implements TimeSource {
  private final SystemTime real = new SystemTime();
  private final long originNanos = real.monotonicNanos();
  private final long originMicros = real.wallMicros();
  private final int times;

  public FastTime(int times) {
    this.times = times;
  }

  @Override
  public long monotonicNanos() {
    return originNanos + times * (real.monotonicNanos() - originNanos);
  }

  @Override
  public long wallMicros() {
    return originMicros + times * (real.wallMicros() - originMicros);
  }

  @Override
  public long serviceMillis() {
    return wallMicros() / 1000;
  }
}
