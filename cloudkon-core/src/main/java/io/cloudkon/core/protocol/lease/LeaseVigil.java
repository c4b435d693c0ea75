package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Watches another holder's lease over several reads: it is over when it was released, or was not
 * renewed for as long as it can last. Not thread safe.
 */
final class LeaseVigil {
  private final LeaseSettings settings;
  private @Nullable SeenLease first;
  private long end;

  LeaseVigil(LeaseSettings settings) {
    this.settings = settings;
  }

  /** Records a read; a lease that was renewed or taken since is watched from the start. */
  void saw(SeenLease lease, Moment now) {
    SeenLease before = first;
    if (before == null || lease.renewedSince(before)) {
      first = lease;
      end = now.mono() + lease.left(now, settings);
    }
    if (lease.letGo()) {
      end = now.mono();
    }
  }

  /** The remaining time to watch it, in milliseconds; 0 if it is over. */
  long left(Moment now) {
    return Math.max(0, end - now.mono());
  }
}
