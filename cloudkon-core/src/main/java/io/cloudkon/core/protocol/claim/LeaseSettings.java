package io.cloudkon.core.protocol.claim;

/**
 * The durations of leases. All in milliseconds.
 *
 * @param lease how long a claim is held without renewal; default 15,000
 * @param heartbeat how often it is renewed; default a third of the lease
 * @param margin the maximum difference between two clocks; default 2,000. A lease counts as over
 *     this much earlier for its owner, and this much later for all others
 */
public record LeaseSettings(long lease, long heartbeat, long margin) {
  /** 15 s, 5 s, 2 s. */
  public static final LeaseSettings DEFAULT = new LeaseSettings(15_000, 5_000, 2_000);

  public LeaseSettings {
    if (heartbeat <= 0 || margin < 0 || lease <= margin + heartbeat) {
      throw new IllegalArgumentException(
          "lease %d ms must be longer than heartbeat %d ms and clock margin %d ms together"
              .formatted(lease, heartbeat, margin));
    }
  }
}
