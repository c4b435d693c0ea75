package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/**
 * The times after which a worker ends itself. Immutable. Times in milliseconds.
 *
 * @param worker its id; also says with which seat it begins, so that workers that are idle at the
 *     same time do not all ask for the same one
 * @param idle how long it has nothing to do before it ends; {@link #NEVER} if it does not
 * @param minimum for how long it is paid in any case: it does not end before
 * @param period it is paid for whole periods; per second, as clouds do today, if not longer than
 *     that
 * @param window only in this last part of a paid period does it end for being idle
 * @param lifetime after how long it ends even if it has work; {@link #NEVER} if it does not
 * @param jobs whether it takes part in HPC jobs, and stays where one waits
 * @param seats whether it stays if the fleet's minimum needs it
 * @param lease how long a seat is held without renewal, and how often that is renewed
 * @param patience how long it stays for answers that it cannot get
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
  /** Longer than any worker lives. */
  public static final long NEVER = Long.MAX_VALUE / 4;

  /** Periods up to this one are no periods: there is always the end of one. */
  public static final long NO_PERIOD = 1_000;

  /**
   * From which age on it may end for being idle, if nobody needs it.
   *
   * @param age its age that is asked for, at least
   * @param idleSince its age when it had work last
   * @return that age, or the next one that may be an end
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
