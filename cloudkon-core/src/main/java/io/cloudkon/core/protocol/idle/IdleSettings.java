package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/**
 * The times after which a worker shuts itself down. Immutable. Times in milliseconds.
 *
 * @param worker its id, which also determines the seat at which its search begins, so that workers
 *     that become idle at the same time do not all request the same one
 * @param idle how long it must be idle before it ends; {@link #NEVER} if it does not end
 * @param minimum the time that is paid for in any case, before which it does not end
 * @param period the billing period; billing is per second, as is usual today, if this is at most a
 *     second
 * @param window the last part of a paid period in which it may end because it is idle
 * @param lifetime after how long it ends even if it has work; {@link #NEVER} if it does not
 * @param jobs whether it takes part in HPC jobs and stays while one waits
 * @param seats whether it stays if the fleet's minimum requires it
 * @param lease the lease of a seat
 * @param patience how long it stays if queries cannot be answered
 */
public record IdleSettings(
    String worker,
    long idle,
    long minimum,
    long period,
    long window,
    long lifetime,
    boolean jobs,
    boolean seats,
    LeaseSettings lease,
    long patience) {
  /** Longer than the lifetime of any worker. */
  public static final long NEVER = Long.MAX_VALUE / 4;

  /** Periods up to this length count as billing per second. */
  public static final long NO_PERIOD = 1_000;

  /**
   * The age at which the worker may end because it is idle, if it is not needed.
   *
   * @param age the minimum age
   * @param idleSince its age when it last had work
   * @return the minimum age, or the next age at which it may end
   */
  long endsAt(long age, long idleSince) {
    if (idle >= NEVER) {
      return NEVER;
    }
    long earliest = Math.max(age, Math.max(minimum, idleSince + idle));
    if (period <= NO_PERIOD) {
      return earliest;
    }
    long paidOff = period - window;
    return earliest + Math.max(0, paidOff - earliest % period);
  }
}
