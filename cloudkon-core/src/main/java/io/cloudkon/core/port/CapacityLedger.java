package io.cloudkon.core.port;

import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Optional;

/**
 * The cluster's slots for HPC jobs. What each call requires and does is said once, in {@link
 * io.cloudkon.core.protocol.capacity.LedgerRules}; every implementation does exactly that. A
 * conflict with another's change, and a throttle, is a {@link TransientServiceException}: to be
 * tried again, and no refusal.
 */
public interface CapacityLedger {

  /**
   * One change, all of it or nothing; the same change made twice, as after a lost answer, happens
   * once and is true both times.
   *
   * @return false if what it requires does not hold; nothing was changed then
   */
  boolean change(LedgerChange change);

  /** Gives a share a later lease; false if it is not there, or not this owner's. */
  boolean renew(Share share);

  /** Gives the reservation a later lease; false if it is not this worker's and job's. */
  boolean renewReservation(String job, String worker, long leaseEnd);

  /**
   * A worker keeps so many slots empty for the job that has the reservation.
   *
   * @param before how many it kept so far
   * @return false if the job has it no more, others keep enough, or {@code before} is not so;
   *     nothing was changed then
   */
  boolean keep(String job, String worker, int before, int slots);

  /**
   * Writes a waiting job over what stands there of it, but for since when it waits: patience counts
   * from the first that said so, whoever has it now.
   */
  void put(Waiting waiting);

  /** The job waits here no more; what another worker wrote of it stays. */
  void removeWaiting(String job, String worker);

  /** The sums, read consistently. */
  LedgerCounter counter();

  /** The reservation, if there is one; may be a moment old. */
  Optional<Reservation> reservation();

  /** All of it: one call and more, by its size; for those who were refused, and for people. */
  LedgerView view();
}
