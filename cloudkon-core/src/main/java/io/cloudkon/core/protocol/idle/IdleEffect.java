package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;

/** An action that an idle worker's machine requests. At most one query is open at a time. */
public sealed interface IdleEffect {

  /** Read from the ledger whether jobs wait; answered by {@link IdleEvent.JobsSeen}. */
  record LookForJobs() implements IdleEffect {}

  /** Read the provisioner's entry; answered by {@link IdleEvent.MinimumRead}. */
  record ReadMinimum() implements IdleEffect {}

  /**
   * Take this seat, or renew it; answered by {@link IdleEvent.SeatAnswered}.
   *
   * @param leaseEnd the end of the lease; service clock, epoch milliseconds
   * @param expiredBefore a seat whose lease ended before this time is free; service clock, epoch
   *     milliseconds
   */
  record Sit(int seat, long leaseEnd, long expiredBefore) implements IdleEffect {
    static Sit at(int seat, LeaseSettings lease, Moment now) {
      return new Sit(seat, now.leaseEnd(lease.lease()), now.expiredBefore(lease.margin()));
    }
  }

  /** Give the seat back if it belongs to this worker; not answered. */
  record GiveBack(int seat) implements IdleEffect {}

  /**
   * Receive from each queue once more for a short time; answered by {@link IdleEvent.QueuesEmpty}.
   */
  record LastLook() implements IdleEffect {}

  /** Work has arrived: continue to receive. */
  record GoOn() implements IdleEffect {}

  /** Continue toward the end without the answer to a query. */
  record GiveUp(String why) implements IdleEffect {}

  /** Drain, and end. */
  record Drain(Ending why) implements IdleEffect {}

  /** The reason why a worker ends. */
  enum Ending {
    /** It was idle for long enough. */
    IDLE,
    /** It has reached its maximum lifetime. */
    LIFETIME
  }
}
