package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;

/** The seat that a worker holds, and when to renew or check it. Used by one machine. */
final class HeldSeat {
  /** How often the minimum is read again, in milliseconds, because it may have been lowered. */
  private static final long CHECK_MILLIS = 30_000;

  private final int index;
  private final LeaseSettings lease;
  private Moment end;
  private long renewAt;
  private long checkAt;

  /** A seat that was taken by a call that began at this time. */
  HeldSeat(int index, LeaseSettings lease, Moment begun) {
    this.index = index;
    this.lease = lease;
    this.end = begun.lease(lease.lease() - lease.margin());
    this.renewAt = begun.mono() + lease.heartbeat();
    this.checkAt = begun.mono() + CHECK_MILLIS;
  }

  int index() {
    return index;
  }

  /** Records a renewal by a call that began at this time. */
  void renewed(Moment begun) {
    end = begun.lease(lease.lease() - lease.margin());
    renewAt = begun.mono() + lease.heartbeat();
  }

  /** Records that the minimum was read and still requires the seat. */
  void checked(Moment now) {
    checkAt = now.mono() + CHECK_MILLIS;
  }

  boolean over(Moment now) {
    return now.eitherPast(end);
  }

  boolean renewalDue(Moment now) {
    return now.mono() >= renewAt;
  }

  boolean checkDue(Moment now) {
    return now.mono() >= checkAt;
  }
}
