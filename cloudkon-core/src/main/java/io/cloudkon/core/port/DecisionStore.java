package io.cloudkon.core.port;

import java.util.List;
import java.util.Optional;

/**
 * The table {@code Q-decisions}: the provisioner's lease, its decisions, the seats of idle workers
 * that stay, and the cluster's settings. Thread safe.
 */
public interface DecisionStore {

  /** The provisioner, read consistently; empty if there never was one. */
  Optional<ProvisionerEntry> provisioner();

  /**
   * Gives the lease to another provisioner if its entry has not changed since it was read: nobody
   * has renewed it or made a decision meanwhile. If the same call is made twice, for example after
   * a lost answer, both return true.
   *
   * @param next the entry of the new holder
   * @param seen the entry as it was read; empty if there was none
   * @return false if the entry has changed; nothing was changed by this call then
   */
  boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen);

  /**
   * Writes the holder's entry if {@code entry.holder()} still holds the lease and the stored entry
   * is older. {@code nextDecision} is not written; only {@link #intend} raises it. If the same call
   * is made twice, both return true.
   *
   * @return false if another provisioner holds the lease, or the stored entry is newer; nothing was
   *     changed then
   */
  boolean renew(ProvisionerEntry entry);

  /**
   * Writes a decision before it is carried out, if the holder still has the lease and the number is
   * not taken. This and the increment of {@link ProvisionerEntry#nextDecision} are one transaction.
   * If the same call is made twice, both return true.
   *
   * @return false if another provisioner holds the lease, or has made a decision with that number;
   *     nothing was changed then
   */
  boolean intend(Decision decision);

  /**
   * Writes the progress of a decision over an older entry with the same token; false if there is
   * none or the stored one is newer. Only state, instances and error change. If the same call is
   * made twice, both return true. This does not require the lease: what a launcher granted is a
   * fact, whoever writes it.
   */
  boolean update(Decision decision);

  /** The existing decisions with these numbers, in order; both ends are included. */
  List<Decision> decisions(long first, long last);

  /**
   * Gives a seat to a worker if it is free, expired, or already its own, with one conditional
   * write. A delayed copy of an older call does not shorten the seat's lease.
   *
   * @param nowMillis service clock, epoch milliseconds; a seat whose lease ended before this has
   *     expired
   * @return whether the worker now has the seat
   */
  boolean sit(IdleSeat seat, long nowMillis);

  /** Gives a seat back. A seat that belongs to another worker or does not exist is not changed. */
  void leave(int index, String worker);

  /** The settings that every client obeys, read consistently; they never expire. */
  ClusterSettings settings();

  /** Writes the settings; clients that are already running do not change. */
  void keep(ClusterSettings settings);

  /** All seats that were taken and not given back, including expired ones. */
  List<IdleSeat> seats();
}
