package io.cloudkon.core.contract;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import java.util.List;
import java.util.Map;

/** Entries of provisioners and their decisions, for tests. */
final class Decisions {
  static final ProvisionerEntry.Settings SETTINGS =
      new ProvisionerEntry.Settings("process", 1, 8, 4, WorkerTakes.ALL);

  private Decisions() {}

  /** A provisioner that has made no decision; its lease ends 15 s after it was written. */
  static ProvisionerEntry entry(String holder, long now) {
    return entry(holder, 1, now);
  }

  /** One that has made all decisions below this number. */
  static ProvisionerEntry entry(String holder, long nextDecision, long now) {
    return new ProvisionerEntry(
        holder,
        "host of " + holder,
        now + 15_000,
        SETTINGS,
        nextDecision,
        1,
        ProvisionerEntry.Fleet.UNSEEN,
        now);
  }

  /** A decision that is to be carried out, under a token named after its holder. */
  static Decision decision(long number, String holder, long now) {
    return new Decision(
        number,
        holder,
        now,
        2,
        "token-%d-%s".formatted(number, holder),
        "two more are needed",
        "backlog 10 tasks",
        Map.of("slots", "4"),
        Decision.State.INTENDED,
        List.of(),
        "",
        now);
  }
}
