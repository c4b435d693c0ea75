package io.cloudkon.core.protocol.completeness;

/**
 * The times after which a client acts. All in milliseconds.
 *
 * @param grace how long receives must have returned nothing before a provisional LOST becomes
 *     final; default 15,000: the receive visibility plus 5 s
 * @param former the additional time in a run that another client held: it may have been suspended
 *     immediately before a receive and resume at any time, and what its long poll receives is
 *     hidden from its successor; default 30,000: the long poll plus the receive visibility
 * @param silence how long a bundle may be silent before its claim is read, which doubles each time
 *     up to a day; default 10 minutes
 * @param resend how long after its last send a bundle that was not found anywhere is sent again;
 *     default 13 days
 * @param margin the maximum difference between two clocks; default 2,000
 * @param openEnded whether somebody waits for each result while more tasks are still to come, as in
 *     a session: a provisional LOST then becomes final before everything was sent; default false
 */
public record CompletenessSettings(
    long grace, long former, long silence, long resend, long margin, boolean openEnded) {
  /** 15 s, 30 s, 10 min, 13 days, 2 s. */
  public static final CompletenessSettings DEFAULT =
      new CompletenessSettings(15_000, 30_000, 600_000, 13 * 24 * 3_600_000L, 2_000);

  /** Settings for a run whose tasks are all known. */
  public CompletenessSettings(long grace, long former, long silence, long resend, long margin) {
    this(grace, former, silence, resend, margin, false);
  }

  /** The same for a run of which nobody knows when its last task comes. */
  public CompletenessSettings forOpenEnd() {
    return new CompletenessSettings(grace, former, silence, resend, margin, true);
  }

  /** {@link #silence} in whole seconds. */
  int silenceSeconds() {
    return (int) (silence / 1000);
  }
}
