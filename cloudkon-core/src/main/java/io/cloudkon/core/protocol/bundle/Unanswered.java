package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Acquisitions that failed temporarily: they may have taken effect, and their leases may be
 * running.
 */
final class Unanswered {
  private final long lease;
  private @Nullable Moment last;

  /**
   * No such acquisition yet.
   *
   * @param lease in milliseconds
   */
  Unanswered(long lease) {
    this.lease = lease;
  }

  /** Records another one. */
  void failed(Moment now) {
    last = now;
  }

  /** Whether the claim may belong to this owner by one of them. */
  boolean mayHold(Moment now) {
    return last != null && now.mono() - last.mono() < lease;
  }
}
