package io.cloudkon.core.port;

import java.util.List;
import java.util.Optional;

/**
 * The table {@code Q-decisions}: the provisioner's lease, its decisions, the seats of workers that
 * stay though they are idle, and the cluster's settings. Thread safe.
 */
public interface DecisionStore {

  /** The provisioner, read consistently; empty if there never was one. */
  Optional<ProvisionerEntry> provisioner();

  /**
   * Gives the lease to another provisioner, if it still stands there as it was seen: nobody has
   * renewed it meanwhile, or made a decision. The same call made twice, as after a lost answer, is
   * true both times.
   *
   * @param next as its new holder writes it
   * @param seen as it was read; empty if there was none
   * @return false if it stands there otherwise now; nothing was changed then
   */
  boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen);

  /**
   * Writes the holder's entry, if {@code entry.holder()} still holds the lease and what stands
   * there is older; all but {@code nextDecision}, which only {@link #intend} raises. The same call
   * made twice is true both times.
   *
   * @return false if another holds it, or a newer entry stands there; nothing was changed then
   */
  boolean renew(ProvisionerEntry entry);

  /**
   * Writes a decision that is to be carried out, if the holder still has the lease and nobody has
   * taken its number: both in one transaction with the raise of {@link
   * ProvisionerEntry#nextDecision}. The same call made twice is true both times.
   *
   * @return false if another provisioner holds the lease, or has made a decision of that number;
   *     nothing was changed then
   */
  boolean intend(Decision decision);

  /**
   * Writes how far a decision is, over an older entry of the same token; false if there is none, or
   * a newer one stands there. State, instances and error change, nothing else. The same call made
   * twice is true both times. No lease is asked for: whatever a launcher granted is true, whoever
   * says it.
   */
  boolean update(Decision decision);

  /** The decisions of these numbers that are there, in order; both ends are included. */
  List<Decision> decisions(long first, long last);

  /**
   * Gives a seat to a worker, if it is free, expired, or its own already: one conditional write. A
   * late copy of an older call does not shorten the seat's lease.
   *
   * @param nowMillis service clock, epoch milliseconds; a seat whose lease ended before this has
   *     expired
   * @return whether the worker has it now
   */
  boolean sit(IdleSeat seat, long nowMillis);

  /** Gives a seat back; one that is another's, or is not there, stays as it is. */
  void leave(int index, String worker);

  /** The settings that every client obeys, read consistently; they never expire. */
  ClusterSettings settings();

  /** Sets that; clients that are at work already go on as they began. */
  void keep(ClusterSettings settings);

  /** All seats that were ever taken and not given back, expired ones among them. */
  List<IdleSeat> seats();
}
