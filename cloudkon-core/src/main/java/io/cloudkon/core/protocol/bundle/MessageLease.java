package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Keeps a message hidden while its bundle is held, one lease at a time. Pure; used by one thread at
 * a time.
 */
public final class MessageLease {
  private final LeaseSettings settings;
  private long extendAt;

  /**
   * The lease of a message that was just received.
   *
   * @param hiddenSince the earliest time at which it was hidden
   */
  public MessageLease(LeaseSettings settings, Moment hiddenSince) {
    this.settings = settings;
    this.extendAt = hiddenSince.mono() + settings.heartbeat();
  }

  /**
   * Extends the lease if that is due.
   *
   * @param out receives the effect
   */
  public void extend(Moment now, List<BundleEffect> out) {
    if (now.mono() >= extendAt) {
      extendAt = now.mono() + settings.heartbeat();
      out.add(new BundleEffect.ExtendVisibility(settings.lease()));
    }
  }
}
