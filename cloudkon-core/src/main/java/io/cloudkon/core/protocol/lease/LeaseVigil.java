package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Another's lease, watched from look to look: it is over when it was let go, or was not renewed for
 * as long as it can run. Not thread safe.
 */
final class LeaseVigil {
  private final LeaseSettings settings;
  private @Nullable SeenLease first;
  private long end;

  LeaseVigil(LeaseSettings settings) {
    this.settings = settings;
  }

  /** A look showed this lease; one that was renewed or taken since is watched anew. */
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

  /** How long it has to be watched still, in milliseconds; 0 if it is over. */
  long left(Moment now) {
    return Math.max(0, end - now.mono());
  }
}
