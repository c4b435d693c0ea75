package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.time.Moment;

/** The amount of a bundle's results that wait to be sent with others, and since when they wait. */
final class HeldResults {
  private final ReplySettings settings;
  private long bytes;
  private long since;

  HeldResults(ReplySettings settings) {
    this.settings = settings;
  }

  /**
   * Adds results.
   *
   * @param first whether no results waited before
   */
  void add(long more, boolean first, Moment now) {
    if (first) {
      since = now.mono();
      bytes = 0;
    }
    bytes += more;
  }

  /** Whether they are to be sent now. */
  boolean due(Moment now) {
    return bytes >= settings.holdBytes() || now.mono() - since >= settings.holdMillis();
  }
}
