package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;

/**
 * A lease as it stands in a store. Immutable.
 *
 * @param holder the process that holds it: an id, fresh for each process
 * @param end until when it runs; service clock, epoch milliseconds
 * @param written when its entry was written last, by whomever; service clock, epoch milliseconds
 */
public record SeenLease(String holder, long end, long written) {

  /**
   * Until when a lease runs that is written now. If the clock was set back, it counts from the last
   * version all the same: a lease that ended before it was written would pass for let go.
   *
   * @param now service clock, epoch milliseconds
   * @param lastWritten when its last version was written, on the same clock
   * @param length of the lease in milliseconds; 0 lets it go
   */
  public static long endOf(long now, long lastWritten, long length) {
    return Math.max(now, lastWritten + 1) + length;
  }

  /**
   * Whether its holder said itself that it has it no more: no renewal ends before it is written.
   */
  public boolean letGo() {
    return end <= written;
  }

  /** Whether somebody lives who renewed or took it since it was seen like that. */
  public boolean renewedSince(SeenLease before) {
    return !holder.equals(before.holder) || end > before.end;
  }

  /**
   * How long it has to be watched before it counts as over: until its end and a margin for clocks
   * that differ, but no longer than a lease and that margin, whatever its end says: somebody's
   * clock may be far off.
   *
   * @return milliseconds, at least 0
   */
  public long left(Moment now, LeaseSettings settings) {
    long margin = settings.margin();
    return Math.clamp(end + margin - now.service(), 0, settings.lease() + margin);
  }
}
