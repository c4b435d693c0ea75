package io.cloudkon.core.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The machine's clocks, and the service's clock according to the last offset given to {@link
 * #learn}. Thread safe.
 */
public final class SystemTime implements TimeSource {
  private final long wallOriginMicros = System.currentTimeMillis() * 1000;
  private final long nanoOrigin = System.nanoTime();
  private final AtomicLong offsetMillis = new AtomicLong();

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  /**
   * The wall clock at the start plus the monotonic time since, so that no stage of a task is
   * negative.
   */
  @Override
  public long wallMicros() {
    return wallOriginMicros + (System.nanoTime() - nanoOrigin) / 1000;
  }

  /** Based on the machine's wall clock, which continues while the machine is suspended. */
  @Override
  public long serviceMillis() {
    return System.currentTimeMillis() + offsetMillis.get();
  }

  /** Sets how far the service's clock is ahead of this machine's, in milliseconds. */
  public void learn(long offset) {
    offsetMillis.set(offset);
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  public long offsetMillis() {
    return offsetMillis.get();
  }
}
