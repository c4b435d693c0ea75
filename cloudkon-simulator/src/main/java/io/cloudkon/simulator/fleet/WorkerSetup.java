package io.cloudkon.simulator.fleet;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.idle.IdleSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all workers share.
 *
 * @param slots the slots of each
 * @param lease the settings of claims' leases
 * @param intake the settings of how much work it takes in advance
 * @param tickMicros the interval of ticks; 50 ms in a real worker
 * @param overheadMicros the time that a slot needs before each task
 * @param replyTimeoutMillis how long a response queue may be gone before results go to the bucket
 * @param gangs the settings of HPC jobs; null if workers do not take part in them
 * @param lifetime the workers' origin and when they end themselves; null if they do not
 */
public record WorkerSetup(
    int slots,
    LeaseSettings lease,
    IntakeSettings intake,
    long tickMicros,
    long overheadMicros,
    long replyTimeoutMillis,
    @Nullable GangTimes gangs,
    @Nullable Lifetime lifetime) {

  /**
   * The waiting times of jobs, in milliseconds.
   *
   * @param timeout how long a gang may take to fill
   * @param patience how long a job waits before slots are kept empty for it
   * @param look how often workers check whether slots are to be kept
   */
  public record GangTimes(long timeout, long patience, long look) {
    /** The defaults. */
    public static final GangTimes DEFAULT =
        new GangTimes(
            GangSettings.GANG_TIMEOUT_MILLIS,
            GangSettings.PATIENCE_MILLIS,
            CapacitySettings.LOOK_MILLIS);
  }

  /**
   * How long an unneeded worker stays. Times are in milliseconds.
   *
   * @param origin the worker's origin
   * @param idle see {@link IdleSettings#idle}; default 60,000
   * @param minimum see {@link IdleSettings#minimum}; default 60,000
   * @param seats the lease settings of a seat
   */
  public record Lifetime(WorkerOrigin origin, long idle, long minimum, LeaseSettings seats) {
    private static final long PATIENCE = 300_000;

    /** The defaults, for a worker of this origin. */
    public static Lifetime of(WorkerOrigin origin) {
      return new Lifetime(origin, 60_000, 60_000, LeaseSettings.DEFAULT);
    }

    /** A copy for a worker of another origin. */
    public Lifetime from(WorkerOrigin other) {
      return new Lifetime(other, idle, minimum, seats);
    }

    IdleSettings settings(String worker, boolean jobs) {
      return new IdleSettings(
          worker,
          origin.launched() ? idle : IdleSettings.NEVER,
          minimum,
          IdleSettings.NO_PERIOD,
          0,
          IdleSettings.NEVER,
          jobs,
          true,
          seats,
          PATIENCE);
    }
  }

  /** The defaults, with this many slots. */
  public static WorkerSetup of(int slots) {
    return new WorkerSetup(
        slots, LeaseSettings.DEFAULT, IntakeSettings.DEFAULT, 50_000, 5, 60_000, null, null);
  }

  /** A copy with this many slots. */
  public WorkerSetup withSlots(int other) {
    return new WorkerSetup(
        other, lease, intake, tickMicros, overheadMicros, replyTimeoutMillis, gangs, lifetime);
  }

  /** A copy that takes part in HPC jobs. */
  public WorkerSetup with(GangTimes times) {
    return new WorkerSetup(
        slots, lease, intake, tickMicros, overheadMicros, replyTimeoutMillis, times, lifetime);
  }

  /** A copy for a fleet that grows with its queue. */
  public WorkerSetup with(Lifetime other) {
    return new WorkerSetup(
        slots, lease, intake, tickMicros, overheadMicros, replyTimeoutMillis, gangs, other);
  }

  GangSettings gangs(String id, GangTimes times) {
    return new GangSettings(
        id, slots, settings(id).bundles(), times.timeout(), times.patience(), 0, times.look());
  }

  WorkerSettings settings(String id) {
    return new WorkerSettings(id, slots, lease, ReplySettings.DEFAULT, intake)
        .withTick(tickMicros / 1000);
  }
}
