package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Removes entries from the ledger that are no longer renewed, with one change at a time per share.
 */
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

  /** Handles a reading of the whole ledger. */
  void viewed(LedgerView view, Moment now) {
    long expired = now.expiredBefore(settings.lease().margin());
    for (Share share : view.shares()) {
      if (share.leaseEnd() < expired && !known(share) && underWay.add(share.key())) {
        changes.ask(token -> new LedgerChange.Remove(token, share, true));
      }
    }
    for (Waiting job : view.waiting()) {
      // One lease later, the next receiver of its message has taken over the time since which it
      // waits.
      if (job.leaseEnd() + settings.lease().lease() < expired) {
        out.accept(new CapacityEffect.RemoveWaiting(job.job(), job.worker()));
      }
    }
  }

  /** Handles the answer to a share's removal. */
  void answered(Share share) {
    underWay.remove(share.key());
  }

  /**
   * Whether this worker renews the share. A delayed copy of an admission may restore a share that
   * no worker knows.
   */
  private boolean known(Share share) {
    return switch (share.kind()) {
      case WORKER -> share.id().equals(settings.worker());
      case GANG -> gangs.has(share.id());
    };
  }
}
