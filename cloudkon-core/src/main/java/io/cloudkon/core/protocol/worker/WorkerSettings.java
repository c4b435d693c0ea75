package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;

/**
 * One worker's settings.
 *
 * @param id unique among workers; the owner in its claims
 * @param slots how many tasks run at a time; default the number of cores
 */
public record WorkerSettings(
    String id, int slots, LeaseSettings lease, ReplySettings reply, IntakeSettings intake) {
  public WorkerSettings {
    if (slots < 1) {
      throw new IllegalArgumentException("a worker needs at least 1 slot, not " + slots);
    }
  }
}
