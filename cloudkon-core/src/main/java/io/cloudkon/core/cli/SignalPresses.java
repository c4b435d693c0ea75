package io.cloudkon.core.cli;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the signals of one kind that are meant as one request as one press: those within {@value
 * #ONE_PRESS_MILLIS} ms. A wrapper such as {@code timeout --foreground} forwards the signal that
 * the terminal has sent to the program as well, and {@code timeout} at its limit signals first the
 * program and then its process group. Thread safe.
 */
public final class SignalPresses {
  /** Shorter than the time in which a person presses Ctrl-C twice on purpose. */
  private static final long ONE_PRESS_MILLIS = 300;

  private final LongSupplier nanos;
  private boolean pressed;
  private long pressedNanos;

  /**
   * No signal has come yet.
   *
   * @param nanos the time in nanoseconds, from any origin; it never goes back
   */
  public SignalPresses(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Takes a signal; returns whether it begins a press, or belongs to the one before it. */
  public synchronized boolean begin() {
    long now = nanos.getAsLong();
    if (pressed && now - pressedNanos < TimeUnit.MILLISECONDS.toNanos(ONE_PRESS_MILLIS)) {
      return false;
    }
    pressed = true;
    pressedNanos = now;
    return true;
  }
}
