package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;

/**
 * What workers have in common.
 *
 * @param slots of each
 * @param lease how long claims are held
 * @param intake how far it looks ahead
 * @param tickMicros how often the machine is told that time went by; the worker's own 50 ms
 * @param overheadMicros what a slot needs before each task
 * @param replyTimeoutMillis how long a response queue may be gone before results go to the bucket
 */
public record WorkerSetup(
    int slots,
    LeaseSettings lease,
    IntakeSettings intake,
    long tickMicros,
    long overheadMicros,
    long replyTimeoutMillis) {
  /** The defaults, with this many slots. */
  public static WorkerSetup of(int slots) {
    return new WorkerSetup(slots, LeaseSettings.DEFAULT, IntakeSettings.DEFAULT, 50_000, 5, 60_000);
  }

  WorkerSettings settings(String id) {
    return new WorkerSettings(id, slots, lease, ReplySettings.DEFAULT, intake);
  }
}
