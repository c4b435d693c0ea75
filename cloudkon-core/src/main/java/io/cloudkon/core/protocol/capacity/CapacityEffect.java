package io.cloudkon.core.protocol.capacity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An action that the ledger's machine requests, or information for the manager's machine. */
public sealed interface CapacityEffect {

  /** A call of the ledger, whose answer is reported as an event. */
  sealed interface Call extends CapacityEffect {}

  /** Call {@code CapacityLedger.change}; a temporary failure is reported after a back-off. */
  record Change(LedgerChange change) implements Call {}

  /** Call {@code CapacityLedger.renew}. */
  record Renew(Share share) implements Call {}

  /** Call {@code CapacityLedger.renewReservation}. */
  record RenewReservation(String job, String worker, long leaseEnd) implements Call {}

  /** Call {@code CapacityLedger.put}; nobody waits for the answer. */
  record PutWaiting(Waiting waiting) implements Call {}

  /** Call {@code CapacityLedger.removeWaiting}; nobody waits for the answer. */
  record RemoveWaiting(String job, String worker) implements Call {}

  /** Call {@code CapacityLedger.view}. */
  record View() implements Call {}

  /** Call {@code CapacityLedger.reservation}. */
  record Look() implements Call {}

  /** Call {@code CapacityLedger.reservation} and then {@code counter}. */
  record LookForRoom() implements Call {}

  /** Information for the manager's machine. */
  sealed interface News extends CapacityEffect {}

  /** These gangs have their slots. */
  record Admitted(List<Share> gangs) implements News {}

  /** There is no room for these gangs now. */
  record Refused(List<Share> gangs) implements News {}

  /** The gang's share is lost, and others may use its slots. */
  record Lost(String gang) implements News {}

  /** The reservation as it is known now; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements News {}
}
