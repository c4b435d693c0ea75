package io.cloudkon.worker.gang;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Map;

/** Entries of provisioners that have looked at an empty cluster and decided nothing yet. */
final class Provisioners {
  private Provisioners() {}

  /** One that may launch so many workers, with so many slots each. */
  static ProvisionerEntry of(int max, int slots, long leaseEnd) {
    return of(max, slots, leaseEnd, WorkerTakes.ALL);
  }

  static ProvisionerEntry of(int max, int slots, long leaseEnd, WorkerTakes takes) {
    return new ProvisionerEntry(
        "p",
        "host",
        leaseEnd,
        new ProvisionerEntry.Settings("process", 0, max, slots, takes),
        1,
        1,
        new ProvisionerEntry.Fleet(0, 0, 0, 0, "", Map.of(), 0, 0, max * slots),
        1);
  }
}
