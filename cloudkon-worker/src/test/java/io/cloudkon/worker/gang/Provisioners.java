package io.cloudkon.worker.gang;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;

/** Entries of provisioners that have decided nothing yet. */
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
        ProvisionerEntry.Fleet.UNSEEN,
        1);
  }
}
