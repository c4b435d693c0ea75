package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.port.ProvisionerEntry;

/** How many ranks a job may have at most, and what says so. */
public sealed interface RankLimit {

  /** The number. */
  int ranks();

  /** The option {@code --max-ranks}. */
  record Option(int ranks) implements RankLimit {}

  /** The slots of the workers that live. */
  record LiveWorkers(int ranks) implements RankLimit {}

  /**
   * The largest fleet that the provisioner may launch.
   *
   * @param workers how many workers
   * @param slotsEach slots of each
   * @param leaseEnd until when the provisioner's lease runs, and this holds; service clock, epoch
   *     milliseconds
   */
  record Fleet(int workers, int slotsEach, long leaseEnd) implements RankLimit {
    /** Of a cluster without a provisioner. */
    public static final Fleet NONE = new Fleet(0, 0, 0);

    /** A provisioner's; none if its workers take no part in jobs. */
    public static Fleet of(ProvisionerEntry provisioner) {
      ProvisionerEntry.Settings settings = provisioner.settings();
      return settings.takes().jobs()
          ? new Fleet(settings.max(), settings.slots(), provisioner.leaseEnd())
          : NONE;
    }

    @Override
    public int ranks() {
      return (int) Math.min(Integer.MAX_VALUE, (long) workers * slotsEach);
    }

    /** Whether a provisioner could launch it at this moment of the service's clock. */
    boolean livesAt(long millis) {
      return leaseEnd > millis;
    }
  }
}
