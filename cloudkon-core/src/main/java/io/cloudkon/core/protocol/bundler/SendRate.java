package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.time.Moment;

/**
 * Estimates how many bundles a second a client sends while nothing but its own calls holds it back.
 * Pure; used by one thread at a time.
 */
final class SendRate {
  /** Over which time it is measured, in milliseconds: many calls long. */
  static final long WINDOW = 500;

  /** A gap this long is no slow call, but a pause, in milliseconds. */
  private static final long PAUSE = 4 * WINDOW;

  private long since = -1;
  private long last;
  private int made;
  private double perSecond = Double.NaN;

  /** A bundle was made. */
  void made(Moment now) {
    boolean paused = now.mono() - last > PAUSE;
    last = now.mono();
    if (since < 0 || paused) {
      since = now.mono();
      made = 0;
      return;
    }
    made++;
    long elapsed = now.mono() - since;
    if (elapsed >= WINDOW) {
      perSecond = made * 1000.0 / elapsed;
      since = now.mono();
      made = 0;
    }
  }

  /** Something else holds the client back: what was measured says nothing. */
  void heldBack() {
    since = -1;
    made = 0;
    perSecond = Double.NaN;
  }

  /** Bundles per second, as last measured; NaN if nothing was. */
  double perSecond() {
    return perSecond;
  }
}
