package io.cloudkon.core.port;

import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Optional;

/**
 * The cluster's slots for HPC jobs. {@link io.cloudkon.core.protocol.capacity.LedgerRules} defines
 * what each call requires and does; every implementation follows these rules exactly. A conflict
 * with another change and throttling are reported as {@link TransientServiceException}: they are
 * not refusals, and the call is to be tried again.
 */
public interface CapacityLedger {

  /**
   * Makes a change as a whole or not at all. If the same change is made twice, for example after a
   * lost answer, it happens once and both calls return true.
   *
   * @return false if its conditions do not hold; nothing was changed then
   */
  boolean change(LedgerChange change);

  /** Extends the lease of a share; false if it does not exist or has another owner. */
  boolean renew(Share share);

  /** Extends the lease of the reservation; false if it does not belong to this worker and job. */
  boolean renewReservation(String job, String worker, long leaseEnd);

  /**
   * Records how many slots a worker keeps empty for the job that has the reservation.
   *
   * @param before the number of slots that it kept so far
   * @return false if the job no longer has the reservation, others keep enough slots, or {@code
   *     before} is wrong; nothing was changed then
   */
  boolean keep(String job, String worker, int before, int slots);

  /**
   * Writes a waiting job and replaces its previous entry, except for the time since which it waits:
   * patience counts from the first entry, whichever worker holds the job now.
   */
  void put(Waiting waiting);

  /** Removes this worker's entry of a waiting job; an entry by another worker is kept. */
  void removeWaiting(String job, String worker);

  /** The totals, read consistently. */
  LedgerCounter counter();

  /** The reservation, if there is one; possibly slightly out of date. */
  Optional<Reservation> reservation();

  /**
   * The whole ledger, which takes one or more calls depending on its size. For workers that were
   * refused, and for display.
   */
  LedgerView view();
}
