package io.cloudkon.core.aws;

/**
 * Estimates how far a service's clock is ahead of ours, from dates cut to whole seconds.
 *
 * <p>An answer dated D was dated between D and D + 1 s by the service's clock, and between our
 * sending and our receiving by ours; so the offset lies between D - received and D + 1 s - sent.
 * All answers of a while together leave an interval hardly wider than one round trip, as some fall
 * right before and some right after a full second. Of that interval the point nearest to zero is
 * used: both clocks usually follow the true time, so our clock is trusted unless it is proven
 * wrong. After the first answer the error is at most a second. Bounds are forgotten after {@link
 * #WINDOW_MILLIS} to twice that, as clocks drift, and at once when they contradict each other by
 * more than a second, as then a clock was set. Smaller contradictions come from servers that cache
 * a formatted date slightly too long.
 *
 * <p>Thread safe.
 */
final class OffsetEstimate {
  static final long WINDOW_MILLIS = 120_000;
  private static final long SECOND = 1000;

  private long low = Long.MIN_VALUE;
  private long high = Long.MAX_VALUE;
  private long newerLow = Long.MIN_VALUE;
  private long newerHigh = Long.MAX_VALUE;
  private long windowStart = Long.MIN_VALUE;

  /**
   * Takes an answer into account.
   *
   * @param date the answer's date, epoch milliseconds, cut to a second
   * @param sent when the request was sent, by our clock
   * @param received when the answer arrived, by our clock
   * @return the estimate after it, milliseconds
   */
  synchronized long observe(long date, long sent, long received) {
    if (windowStart == Long.MIN_VALUE) {
      windowStart = received;
    } else if (received - windowStart > WINDOW_MILLIS || received < windowStart) {
      low = newerLow;
      high = newerHigh;
      newerLow = Long.MIN_VALUE;
      newerHigh = Long.MAX_VALUE;
      windowStart = received;
    }
    long atLeast = date - received;
    long atMost = date + SECOND - sent;
    if (atLeast - SECOND > high || atMost + SECOND < low) {
      low = Long.MIN_VALUE;
      high = Long.MAX_VALUE;
      newerLow = Long.MIN_VALUE;
      newerHigh = Long.MAX_VALUE;
    }
    low = Math.max(low, atLeast);
    high = Math.min(high, atMost);
    newerLow = Math.max(newerLow, atLeast);
    newerHigh = Math.min(newerHigh, atMost);
    return Math.clamp(0L, Math.min(low, high), Math.max(low, high));
  }
}
