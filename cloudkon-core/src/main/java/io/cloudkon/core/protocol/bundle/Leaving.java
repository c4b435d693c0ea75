package io.cloudkon.core.protocol.bundle;

/**
 * The reason for which a worker gives a bundle back before its end, and how long the bundle stays
 * hidden then.
 */
final class Leaving {
  private boolean drains;
  private boolean undeliverable;
  private boolean refused;
  private long hiddenMillis;

  /** How long its message is to be hidden. */
  long hiddenMillis() {
    return hiddenMillis;
  }

  /** Nothing more of it is to start here. */
  void drain() {
    drains = true;
  }

  /** Whether nothing more of it is to start here. */
  boolean drains() {
    return drains;
  }

  /** It is to be received so much later. */
  void hide(long millis) {
    hiddenMillis = millis;
  }

  /** It is to be received so much later, or later still. */
  void hideAtLeast(long millis) {
    hiddenMillis = Math.max(hiddenMillis, millis);
  }

  /** Its results can go nowhere. */
  void undeliverable() {
    undeliverable = true;
  }

  /** They can, after all. */
  void deliverable() {
    if (undeliverable) {
      undeliverable = false;
      hiddenMillis = 0;
    }
  }

  /** Whether its results can go nowhere. */
  boolean isUndeliverable() {
    return undeliverable;
  }

  /** What is left of it may not be sent from here. */
  void refused() {
    refused = true;
  }

  /** Whether what is left of it may not be sent from here. */
  boolean isRefused() {
    return refused;
  }
}
