package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Removes from the ledger what nobody renews any more, each share by one change at a time. */
final class LedgerSweep {
  private final CapacitySettings settings;
  private final PendingChanges changes;
  private final GangShares gangs;
  private final Consumer<CapacityEffect> out;
  private final Set<String> underWay = new HashSet<>();

  LedgerSweep(
      CapacitySettings settings,
      PendingChanges changes,
      GangShares gangs,
      Consumer<CapacityEffect> out) {
    this.settings = settings;
    this.changes = changes;
    this.gangs = gangs;
    this.out = out;
  }

  /** All of the ledger was read. */
  void viewed(LedgerView view, Moment now) {
    long expired = now.service() - settings.lease().margin();
    for (Share share : view.shares()) {
      if (share.leaseEnd() < expired && !known(share) && underWay.add(share.key())) {
        changes.ask(token -> new LedgerChange.Remove(token, share, true));
      }
    }
    for (Waiting job : view.waiting()) {
      // A lease later whoever received its message next has taken over since when it waits.
      if (job.leaseEnd() + settings.lease().lease() < expired) {
        out.accept(new CapacityEffect.RemoveWaiting(job.job(), job.worker()));
      }
    }
  }

  /** A share's removal was answered. */
  void answered(Share share) {
    underWay.remove(share.key());
  }

  /** Whether it is renewed here. A late copy of an admission brings shares that nobody knows. */
  private boolean known(Share share) {
    return switch (share.kind()) {
      case WORKER -> share.id().equals(settings.worker());
      case GANG -> gangs.has(share.id());
    };
  }
}
