package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.time.Moment;

/**
 * The time for which an owner may rely on its claim, on both clocks, counted from before the call
 * was sent that leased it; and when it is to be renewed.
 */
final class ClaimLease {
  private final LeaseSettings settings;
  private Moment callSent = new Moment(0, 0);
  private Moment end = new Moment(0, 0);
  private Moment renewAt = new Moment(0, 0);

  ClaimLease(LeaseSettings settings) {
    this.settings = settings;
  }

  /** An acquisition is sent now. */
  void asked(Moment now) {
    callSent = now;
  }

  /** An owner's write is sent now, which renews it. */
  void writing(Moment now) {
    callSent = now;
    renewAt = now.plus(settings.heartbeat());
  }

  /** The acquisition that was sent last took effect. */
  void granted(Claim claim) {
    granted(claim, callSent);
  }

  /** The acquisition that was sent then may be the one that took effect. */
  void granted(Claim claim, Moment sent) {
    Moment longest = sent.plus(settings.lease());
    end = new Moment(longest.mono(), Math.min(longest.service(), claim.leaseEnd()));
    renewAt = callSent.plus(settings.heartbeat());
  }

  /** The write that was sent last took effect. */
  void renewed() {
    end = callSent.plus(settings.lease());
  }

  /** Whether a heartbeat is due. */
  boolean renewalDue(Moment now) {
    return now.eitherPast(renewAt);
  }

  /** Whether it is over, or so nearly that it cannot be told. */
  boolean over(Moment now) {
    return now.eitherPast(end.plus(-settings.margin()));
  }

  /** For how long it still runs on both clocks, in milliseconds; the margin is not taken off. */
  long left(Moment now) {
    return Math.max(0, Math.min(end.mono() - now.mono(), end.service() - now.service()));
  }
}
