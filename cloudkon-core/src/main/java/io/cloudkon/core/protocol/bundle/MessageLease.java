package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Keeps a message hidden for as long as its bundle is in hand, lease by lease. Pure; used by one
 * thread at a time.
 */
public final class MessageLease {
  private final LeaseSettings settings;
  private long extendAt;

  /**
   * Of a message that was just received.
   *
   * @param receiveBegun when the receive that hid it was sent
   */
  public MessageLease(LeaseSettings settings, Moment receiveBegun) {
    this.settings = settings;
    this.extendAt = receiveBegun.mono() + settings.heartbeat();
  }

  /**
   * Extends it, if that is due.
   *
   * @param out takes the effect
   */
  public void extend(Moment now, List<BundleEffect> out) {
    if (now.mono() >= extendAt) {
      extendAt = now.mono() + settings.heartbeat();
      out.add(new BundleEffect.ExtendVisibility(settings.lease()));
    }
  }
}
