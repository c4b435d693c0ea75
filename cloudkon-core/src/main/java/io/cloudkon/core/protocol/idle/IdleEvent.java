package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;

/** An event for a worker that may shut itself down. */
public sealed interface IdleEvent {

  /**
   * Time has passed.
   *
   * @param worked whether it has had work since the last tick
   * @param holds whether it holds messages, which may turn out to be work: the last look begins
   *     again after them
   */
  record Tick(boolean worked, boolean holds) implements IdleEvent {
    /** Time has passed in which it held nothing. */
    public Tick(boolean worked) {
      this(worked, false);
    }
  }

  /**
   * Answers {@link IdleEffect.LookForJobs}.
   *
   * @param waiting whether a job waits for slots
   * @param shares the number of workers and gangs in the ledger, all of which may read it
   */
  record JobsSeen(boolean waiting, int shares) implements IdleEvent {}

  /**
   * Answers {@link IdleEffect.ReadMinimum}.
   *
   * @param workers the number of idle workers that are to stay; 0 if no provisioner has set it
   * @param saidAt when a provisioner last wrote it; service clock, epoch milliseconds
   */
  record MinimumRead(int workers, long saidAt) implements IdleEvent {
    /**
     * A minimum that was not renewed for this time is no longer valid, in milliseconds: a
     * provisioner that is permanently gone must not keep workers forever, and one that is replaced
     * is back within the time of a boot.
     */
    public static final long HOLDS_MILLIS = ProvisioningSettings.BOOT_TIMEOUT_MILLIS;

    /** The number of workers that are to stay at this time of the service's clock. */
    int countsAt(long millis) {
      return millis - saidAt > HOLDS_MILLIS ? 0 : workers;
    }
  }

  /** Answers {@link IdleEffect.Sit}. */
  record SeatAnswered(int seat, boolean mine) implements IdleEvent {}

  /** Answers any of these three queries if the call failed. */
  record Unanswered(String why) implements IdleEvent {}

  /**
   * Receives of each of its queues that began after the last {@link IdleEffect.LastLook} have
   * returned nothing.
   */
  record QueuesEmpty() implements IdleEvent {}

  /** The worker is to leave, for any reason. */
  record Leave() implements IdleEvent {}
}
