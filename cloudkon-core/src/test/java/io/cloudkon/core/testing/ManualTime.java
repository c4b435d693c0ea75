package io.cloudkon.core.testing;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that stand still until a test turns them. Thread safe. */
public final class ManualTime implements TimeSource {
  /** Where wall clock and service clock begin: 2026-01-01T00:00:00Z, epoch milliseconds. */
  public static final long BEGIN_MILLIS = 1_767_225_600_000L;

  private final AtomicLong monotonicNanos = new AtomicLong();
  private final AtomicLong wallNanos = new AtomicLong();
  private final AtomicLong serviceAheadMillis = new AtomicLong();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Calls this after every turn, on the turning thread: {@code time.onAdvance(cloud::tick)}. */
  public void onAdvance(Runnable listener) {
    listeners.add(listener);
  }

  /** Turns all clocks. */
  public void advance(Duration by) {
    monotonicNanos.addAndGet(by.toNanos());
    wallNanos.addAndGet(by.toNanos());
    listeners.forEach(Runnable::run);
  }

  /** Turns all clocks by milliseconds. */
  public void advanceMillis(long millis) {
    advance(Duration.ofMillis(millis));
  }

  /** Turns all clocks but the monotonic one: what a process sees after its machine slept. */
  public void suspend(Duration by) {
    wallNanos.addAndGet(by.toNanos());
    listeners.forEach(Runnable::run);
  }

  /** Puts the service's clock so many milliseconds ahead of the wall clock. */
  public void serviceAhead(long millis) {
    serviceAheadMillis.set(millis);
    listeners.forEach(Runnable::run);
  }

  @Override
  public long monotonicNanos() {
    return monotonicNanos.get();
  }

  @Override
  public long wallMicros() {
    return BEGIN_MILLIS * 1000 + wallNanos.get() / 1000;
  }

  @Override
  public long serviceMillis() {
    return BEGIN_MILLIS + wallNanos.get() / 1_000_000 + serviceAheadMillis.get();
  }
}
