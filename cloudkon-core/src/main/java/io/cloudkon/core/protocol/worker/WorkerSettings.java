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
 */
public record WorkerSettings(
    String id,
    int slots,
    LeaseSettings lease,
    ReplySettings reply,
    IntakeSettings intake,
    AttemptSettings attempts,
    boolean tasks) {
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
    this(id, slots, lease, reply, intake, attempts, true);
  }

  /** With the default attempts. */
  public WorkerSettings(
      String id, int slots, LeaseSettings lease, ReplySettings reply, IntakeSettings intake) {
    this(id, slots, lease, reply, intake, AttemptSettings.DEFAULT);
  }

  /** What its bundles have in common. */
  public BundleSettings bundles() {
    return new BundleSettings(lease, reply, attempts, RetrySettings.DEFAULT);
  }
}
