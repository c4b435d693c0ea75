package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.bundle.BundleSettings;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.bundle.RetrySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;

/**
 * One worker's settings.
 *
 * @param id unique among workers; the owner in its claims
 * @param slots how many tasks run at a time; default the number of cores
 * @param tasks whether it takes tasks at all, besides ranks of HPC jobs; default true
 * @param only whether there can be no other worker, so that what fails is tried again here; default
 *     false
 */
public record WorkerSettings(
    String id,
    int slots,
    LeaseSettings lease,
    ReplySettings reply,
    IntakeSettings intake,
    AttemptSettings attempts,
    boolean tasks,
    boolean only) {
  public WorkerSettings {
    if (slots < 1) {
      throw new IllegalArgumentException("a worker needs at least 1 slot, not " + slots);
    }
  }

  /** One that takes tasks. */
  public WorkerSettings(
      String id,
      int slots,
      LeaseSettings lease,
      ReplySettings reply,
      IntakeSettings intake,
      AttemptSettings attempts) {
    this(id, slots, lease, reply, intake, attempts, true, false);
  }

  /** With the default attempts. */
  public WorkerSettings(
      String id, int slots, LeaseSettings lease, ReplySettings reply, IntakeSettings intake) {
    this(id, slots, lease, reply, intake, AttemptSettings.DEFAULT);
  }

  /** The same for the only worker that there can be. */
  public WorkerSettings asOnly() {
    return new WorkerSettings(id, slots, lease, reply, intake, attempts, tasks, true);
  }

  /** What its bundles have in common. */
  public BundleSettings bundles() {
    return new BundleSettings(lease, reply, attempts, RetrySettings.DEFAULT);
  }
}
