package io.cloudkon.core.protocol.bundle;

/**
 * The reason why a worker gives a bundle back before its end, and how long the bundle is then
 * hidden.
 */
final class Leaving {
  private boolean drains;
  private boolean undeliverable;
  private boolean refused;
  private long hiddenMillis;

  /** How long its message is to be hidden, in milliseconds. */
  long hiddenMillis() {
    return hiddenMillis;
  }

  /** Records that no more of its tasks are to start here. */
  void drain() {
    drains = true;
  }

  /** Whether no more of its tasks are to start here. */
  boolean drains() {
    return drains;
  }

  /** Sets how long its message is to be hidden. */
  void hide(long millis) {
    hiddenMillis = millis;
  }

  /** Raises the time for which its message is to be hidden to at least this value. */
  void hideAtLeast(long millis) {
    hiddenMillis = Math.max(hiddenMillis, millis);
  }

  /** Records that its results cannot be delivered. */
  void undeliverable() {
    undeliverable = true;
  }

  /** Records that its results can be delivered after all. */
  void deliverable() {
    if (undeliverable) {
      undeliverable = false;
      hiddenMillis = 0;
    }
  }

  /** Whether its results cannot be delivered. */
  boolean isUndeliverable() {
    return undeliverable;
  }

  /** Records that this worker may not send its remaining messages. */
  void refused() {
    refused = true;
  }

  /** Whether this worker may not send its remaining messages. */
  boolean isRefused() {
    return refused;
  }
}
