package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;

/** An event for a worker that may end itself. */
public sealed interface IdleEvent {

  /**
   * Time went by.
   *
   * @param worked whether it had anything in hand since the last tick
   */
  record Tick(boolean worked) implements IdleEvent {}

  /**
   * Answers {@link IdleEffect.LookForJobs}.
   *
   * @param waiting whether a job waits for slots
   * @param shares how many workers and gangs the ledger has, all of which may look
   */
  record JobsSeen(boolean waiting, int shares) implements IdleEvent {}

  /**
   * Answers {@link IdleEffect.ReadMinimum}.
   *
   * @param workers how many idle workers are to stay; 0 if nobody said so
   * @param saidAt when that was said last; service clock, epoch milliseconds
   */
  record MinimumRead(int workers, long saidAt) implements IdleEvent {
    /**
     * A minimum that nobody has said again for so long counts no more, in milliseconds: a
     * provisioner that is gone for good must not keep workers for ever, and one that is replaced is
     * back within a boot.
     */
    public static final long HOLDS_MILLIS = ProvisioningSettings.BOOT_TIMEOUT_MILLIS;

    /** How many are to stay at this moment of the service's clock. */
    int countsAt(long millis) {
      return millis - saidAt > HOLDS_MILLIS ? 0 : workers;
    }
  }

  /** Answers {@link IdleEffect.Sit}. */
  record SeatAnswered(int seat, boolean mine) implements IdleEvent {}

  /** Answers any of these three: the call failed. */
  record Unanswered(String why) implements IdleEvent {}

  /**
   * Receives of each of its queues that began after {@link IdleEffect.LastLook} have come back
   * empty.
   */
  record QueuesEmpty() implements IdleEvent {}

  /** The worker is to leave, for whatever reason. */
  record Leave() implements IdleEvent {}
}
