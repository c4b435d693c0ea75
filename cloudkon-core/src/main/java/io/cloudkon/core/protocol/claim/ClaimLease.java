package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.time.Moment;

/**
 * The time for which an owner may rely on its claim, on both clocks and counted from before the
 * call that leased it; also determines when to renew it.
 */
final class ClaimLease {
  private final LeaseSettings settings;
  private Moment callSent = new Moment(0, 0);
  private Moment end = new Moment(0, 0);
  private Moment renewAt = new Moment(0, 0);

  ClaimLease(LeaseSettings settings) {
    this.settings = settings;
  }

  /** Records that an acquisition is sent now. */
  void asked(Moment now) {
    callSent = now;
  }

  /** Records that an owner's write, which renews the lease, is sent now. */
  void writing(Moment now) {
    callSent = now;
    renewAt = now.plus(settings.heartbeat());
  }

  /** Records that the last acquisition took effect. */
  void granted(Claim claim) {
    granted(claim, callSent);
  }

  /** Records that the acquisition that was sent at that time may be the one that took effect. */
  void granted(Claim claim, Moment sent) {
    Moment longest = sent.lease(settings.lease());
    end = new Moment(longest.mono(), Math.min(longest.service(), claim.leaseEnd()));
    renewAt = callSent.plus(settings.heartbeat());
  }

  /** Records that the last write took effect. */
  void renewed() {
    end = callSent.lease(settings.lease());
  }

  /** Whether a heartbeat is due. */
  boolean renewalDue(Moment now) {
    return now.eitherPast(renewAt);
  }

  /** Whether the lease is over or, within the margin, may be over. */
  boolean over(Moment now) {
    return now.eitherPast(end.plus(-settings.margin()));
  }

  /** The remaining time on both clocks in milliseconds, without deduction of the margin. */
  long left(Moment now) {
    return Math.max(0, Math.min(end.mono() - now.mono(), end.service() - now.service()));
  }
}
