package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;

/** An action that an idle worker's machine asks for. At most one question is open at a time. */
public sealed interface IdleEffect {

  /** Look into the ledger, whether jobs wait; answered by {@link IdleEvent.JobsSeen}. */
  record LookForJobs() implements IdleEffect {}

  /** Read the provisioner's entry; answered by {@link IdleEvent.MinimumRead}. */
  record ReadMinimum() implements IdleEffect {}

  /**
   * Take this seat, or renew it; answered by {@link IdleEvent.SeatAnswered}.
   *
   * @param leaseEnd service clock, epoch milliseconds
   * @param expiredBefore a seat whose lease ended before this is free; likewise
   */
  record Sit(int seat, long leaseEnd, long expiredBefore) implements IdleEffect {
    static Sit at(int seat, LeaseSettings lease, Moment now) {
      return new Sit(seat, now.service() + lease.lease(), now.service() - lease.margin());
    }
  }

  /** Give the seat back if it is one's own; not answered. */
  record GiveBack(int seat) implements IdleEffect {}

  /** Receive from each queue once more, shortly; answered by {@link IdleEvent.QueuesEmpty}. */
  record LastLook() implements IdleEffect {}

  /** There was something: receive as before. */
  record GoOn() implements IdleEffect {}

  /** It goes on towards its end without having learned what it asked for. */
  record GiveUp(String why) implements IdleEffect {}

  /** Drain, and end. */
  record Drain(Ending why) implements IdleEffect {}

  /** Why a worker ends. */
  enum Ending {
    /** It was idle for long enough. */
    IDLE,
    /** It has lived for as long as it may. */
    LIFETIME
  }
}
