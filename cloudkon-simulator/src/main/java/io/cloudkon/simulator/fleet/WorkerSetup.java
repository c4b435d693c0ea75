package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;

/**
 * What workers have in common.
 *
 * @param slots of each
 * @param lease how long claims are held
 * @param intake how far it looks ahead
 * @param tickMicros how often the machine is told that time went by; the worker's own 50 ms
 * @param overheadMicros what a slot needs before each task
 * @param replyTimeoutMillis how long a response queue may be gone before results go to the bucket
 * @param gangs how they take part in HPC jobs; null if they do not
 */
public record WorkerSetup(
    int slots,
    LeaseSettings lease,
    IntakeSettings intake,
    long tickMicros,
    long overheadMicros,
    long replyTimeoutMillis,
    @Nullable GangTimes gangs) {

  /**
   * How long jobs wait, in milliseconds.
   *
   * @param timeout how long a gang may take to fill
   * @param patience how long a job waits before slots are kept empty for it
   * @param look how often workers look whether slots are to be kept
   */
  public record GangTimes(long timeout, long patience, long look) {
    /** The defaults. */
    public static final GangTimes DEFAULT =
        new GangTimes(
            GangSettings.GANG_TIMEOUT_MILLIS,
            GangSettings.PATIENCE_MILLIS,
            CapacitySettings.LOOK_MILLIS);
  }

  /** The defaults, with this many slots. */
  public static WorkerSetup of(int slots) {
    return new WorkerSetup(
        slots, LeaseSettings.DEFAULT, IntakeSettings.DEFAULT, 50_000, 5, 60_000, null);
  }

  /** The same, taking part in HPC jobs. */
  public WorkerSetup with(GangTimes times) {
    return new WorkerSetup(
        slots, lease, intake, tickMicros, overheadMicros, replyTimeoutMillis, times);
  }

  GangSettings gangs(String id, GangTimes times) {
    return new GangSettings(
        id, slots, settings(id).bundles(), times.timeout(), times.patience(), 0, times.look());
  }

  WorkerSettings settings(String id) {
    return new WorkerSettings(id, slots, lease, ReplySettings.DEFAULT, intake);
  }
}
