package io.cloudkon.core.protocol.capacity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An action that the ledger's machine asks for, or a finding. */
public sealed interface CapacityEffect {

  /** Call the ledger; the answer comes back as an event. */
  sealed interface Call extends CapacityEffect {}

  /** Call {@code CapacityLedger.change}; a failure in passing comes back after a back-off. */
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

  /** What the manager's machine is told. */
  sealed interface News extends CapacityEffect {}

  /** These gangs have their slots. */
  record Admitted(List<Share> gangs) implements News {}

  /** There is no room for these gangs now. */
  record Refused(List<Share> gangs) implements News {}

  /** The gang's share is gone: others count on its slots. */
  record Lost(String gang) implements News {}

  /** All of the ledger was read. */
  record Viewed(LedgerView view) implements News {}

  /** What is known of the reservation; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements News {}
}
