package io.cloudkon.core.time;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The machine's clocks, and the service's clock according to the last offset given to {@link
 * #learn}. Thread safe.
 */
public final class SystemTime implements TimeSource {
  private final LongSupplier nanos;
  private final LongSupplier wallMillis;
  private final long wallOriginMicros;
  private final long nanoOrigin;
  private final AtomicReference<Learned> learned = new AtomicReference<>(Learned.NOTHING);

  /**
   * The last finding about the service's clock.
   *
   * @param offset how far it is ahead of the wall clock, in milliseconds
   * @param apart how far the wall clock was ahead of the monotonic clock then, in milliseconds;
   *     null if the service's clock was never asked for, because it is this machine's
   */
  private record Learned(long offset, @Nullable Long apart) {
    static final Learned NOTHING = new Learned(0, null);

    long leap(long apartNow) {
      return apart == null ? 0 : Math.max(0, apartNow - apart);
    }
  }

  /** This machine's clocks. */
  public SystemTime() {
    this(System::nanoTime, System::currentTimeMillis);
  }

  /**
   * Other clocks.
   *
   * @param nanos a monotonic clock
   * @param wallMillis a wall clock, in epoch milliseconds
   */
  SystemTime(LongSupplier nanos, LongSupplier wallMillis) {
    this.nanos = nanos;
    this.wallMillis = wallMillis;
    this.wallOriginMicros = wallMillis.getAsLong() * 1000;
    this.nanoOrigin = nanos.getAsLong();
  }

  @Override
  public long monotonicNanos() {
    return nanos.getAsLong();
  }

  /**
   * The wall clock at the start plus the monotonic time since, so that no stage of a task is
   * negative.
   */
  @Override
  public long wallMicros() {
    return wallOriginMicros + (nanos.getAsLong() - nanoOrigin) / 1000;
  }

  /** Based on the machine's wall clock, which continues while the machine is suspended. */
  @Override
  public long serviceMillis() {
    return wallMillis.getAsLong() + offsetMillis();
  }

  @Override
  public Moment now() {
    Learned last = learned.get();
    long mono = monotonicNanos() / 1_000_000;
    long wall = wallMillis.getAsLong();
    return new Moment(mono, wall + last.offset(), last.leap(wall - mono));
  }

  /** Sets how far the service's clock is ahead of this machine's, in milliseconds. */
  public void learn(long offset) {
    learned.set(new Learned(offset, apartMillis()));
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  public long offsetMillis() {
    return learned.get().offset();
  }

  /** How far the wall clock is ahead of the monotonic clock, in milliseconds. */
  public long apartMillis() {
    return wallMillis.getAsLong() - monotonicNanos() / 1_000_000;
  }
}
