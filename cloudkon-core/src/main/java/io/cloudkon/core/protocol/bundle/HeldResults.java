package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.time.Moment;

/** The amount of a bundle's results that waits to be sent with others, and since when. */
final class HeldResults {
  private final ReplySettings settings;
  private long bytes;
  private long since;

  HeldResults(ReplySettings settings) {
    this.settings = settings;
  }

  /**
   * More results.
   *
   * @param first whether nothing waited
   */
  void add(long more, boolean first, Moment now) {
    if (first) {
      since = now.mono();
      bytes = 0;
    }
    bytes += more;
  }

  /** Whether they wait no longer. */
  boolean due(Moment now) {
    return bytes >= settings.holdBytes() || now.mono() - since >= settings.holdMillis();
  }
}
