package io.cloudkon.core.protocol.completeness;

/**
 * The times after which a client no longer waits quietly. All in milliseconds.
 *
 * @param grace how long receives must have come back empty before a provisional LOST is final;
 *     default 15,000: the receive visibility and 5 s
 * @param former how much longer in a run that was another client's: that one may have been stopped
 *     just before a receive, and wake at any time. What its long poll takes is hidden from its
 *     successor; default 30,000: the long poll and the receive visibility
 * @param silence how long a bundle may be silent before its claim is read, doubling each time up to
 *     a day; default 10 minutes
 * @param resend how long after its last send a bundle that is nowhere is sent again; default 13
 *     days
 * @param margin how far two clocks may be apart; default 2,000
 */
public record CompletenessSettings(
    long grace, long former, long silence, long resend, long margin) {
  /** 15 s, 30 s, 10 min, 13 days, 2 s. */
  public static final CompletenessSettings DEFAULT =
      new CompletenessSettings(15_000, 30_000, 600_000, 13 * 24 * 3_600_000L, 2_000);

  /** {@link #silence} in whole seconds. */
  int silenceSeconds() {
    return (int) (silence / 1000);
  }
}
