package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;

/**
 * A lease as it is stored. Immutable.
 *
 * @param holder the id of the process that holds it, new for each process
 * @param end the end of the lease; service clock, epoch milliseconds
 * @param written when its entry was last written by any process; service clock, epoch milliseconds
 */
public record SeenLease(String holder, long end, long written) {

  /**
   * The end of a lease that is written now. If the clock was set back, it counts from the last
   * version, because a lease that ended before it was written would count as released.
   *
   * @param now the current time; service clock, epoch milliseconds
   * @param lastWritten when its last version was written, on the same clock
   * @param length the length of the lease in milliseconds; 0 releases it
   */
  public static long endOf(long now, long lastWritten, long length) {
    return Math.max(now, lastWritten + 1) + length;
  }

  /** Whether its holder has released it; no renewal ends before it is written. */
  public boolean letGo() {
    return end <= written;
  }

  /** Whether a live process has renewed or taken it since it was last seen. */
  public boolean renewedSince(SeenLease before) {
    return !holder.equals(before.holder) || end > before.end;
  }

  /**
   * How long it must be watched before it counts as over: until its end plus a margin for different
   * clocks, but at most one lease plus that margin, whatever its end, because the holder's clock
   * may be far off.
   *
   * @return milliseconds, at least 0
   */
  public long left(Moment now, LeaseSettings settings) {
    long margin = settings.margin();
    return Math.clamp(end - now.expiredBefore(margin), 0, settings.lease() + margin);
  }
}
