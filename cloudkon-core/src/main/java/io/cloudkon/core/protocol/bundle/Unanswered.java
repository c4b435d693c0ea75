package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** An acquisition that failed in passing: it may have taken effect, and its lease may run. */
final class Unanswered {
  private final long lease;
  private @Nullable Moment last;

  /**
   * None yet.
   *
   * @param lease in milliseconds
   */
  Unanswered(long lease) {
    this.lease = lease;
  }

  /** One more. */
  void failed(Moment now) {
    last = now;
  }

  /** Whether the claim may be this owner's by one of them. */
  boolean mayHold(Moment now) {
    return last != null && now.mono() - last.mono() < lease;
  }
}
