package io.cloudkon.core.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The machine's clocks, and the service's by the offset that {@link #learn} was told last. Thread
 * safe.
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
   * Advances with the monotonic clock within one process, so that no stage of a task is negative.
   */
  @Override
  public long wallMicros() {
    return wallOriginMicros + (System.nanoTime() - nanoOrigin) / 1000;
  }

  /** By the machine's own wall clock, which goes on while the machine is suspended. */
  @Override
  public long serviceMillis() {
    return System.currentTimeMillis() + offsetMillis.get();
  }

  /** Says how far the service's clock is ahead of this machine's, in milliseconds. */
  public void learn(long offset) {
    offsetMillis.set(offset);
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  public long offsetMillis() {
    return offsetMillis.get();
  }
}
