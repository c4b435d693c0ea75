package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundle.BundleSettings;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;

/**
 * The settings of a worker for HPC jobs. Times in milliseconds.
 *
 * @param worker its id
 * @param slots the number of its slots, which is also the maximum number of gangs that it manages
 * @param bundles the settings for claims, which are those of bundles
 * @param gangTimeout the time in which a gang must fill; default 10,000
 * @param patience how long a job waits before slots are kept empty for it; default 60,000
 * @param maxRanks the maximum number of ranks; jobs with more fail at once. 0, the default, means
 *     the slots of the live workers and of those that a live provisioner may launch
 * @param lookMillis how often it checks whether slots are to be kept; default 2,000
 */
public record GangSettings(
    String worker,
    int slots,
    BundleSettings bundles,
    long gangTimeout,
    long patience,
    int maxRanks,
    long lookMillis) {
  /** 10 s. */
  public static final long GANG_TIMEOUT_MILLIS = 10_000;

  /** 60 s. */
  public static final long PATIENCE_MILLIS = 60_000;

  public GangSettings {
    if (gangTimeout <= 0 || patience < 0 || maxRanks < 0 || maxRanks > Limits.RANKS) {
      throw new IllegalArgumentException(
          "expected a gang timeout above 0, a patience of 0 or more and at most %d ranks, not %d ms, %d ms and %d"
              .formatted(Limits.RANKS, gangTimeout, patience, maxRanks));
    }
  }

  /** The default settings for a worker with these settings. */
  public static GangSettings of(WorkerSettings worker) {
    return new GangSettings(
        worker.id(),
        worker.slots(),
        worker.bundles(),
        GANG_TIMEOUT_MILLIS,
        PATIENCE_MILLIS,
        0,
        CapacitySettings.LOOK_MILLIS);
  }

  /** The leases of claims, shares and ranks. */
  public LeaseSettings lease() {
    return bundles.lease();
  }

  /** How long a rank may run without an answer of its manager: half a lease. */
  public long silence() {
    return lease().lease() / 2;
  }

  /** How often a sub-worker sends a heartbeat to its manager. */
  public long beat() {
    return Math.max(1, lease().lease() / 6);
  }
}
