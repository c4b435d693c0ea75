package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Optional;

/** A ledger whose calls meet their fates. */
final class UnreliableCapacityLedger implements CapacityLedger {
  private final CapacityLedger ledger;
  private final Injector injector;

  UnreliableCapacityLedger(CapacityLedger ledger, Injector injector) {
    this.ledger = ledger;
    this.injector = injector;
  }

  @Override
  public boolean change(LedgerChange change) {
    return injector.call(Operation.LEDGER_CHANGE, () -> ledger.change(change));
  }

  @Override
  public boolean renew(Share share) {
    return injector.call(Operation.LEDGER_RENEW, () -> ledger.renew(share));
  }

  @Override
  public boolean renewReservation(String job, String worker, long leaseEnd) {
    return injector.call(
        Operation.LEDGER_RENEW, () -> ledger.renewReservation(job, worker, leaseEnd));
  }

  @Override
  public boolean keep(String job, String worker, int before, int slots) {
    return injector.call(Operation.LEDGER_KEEP, () -> ledger.keep(job, worker, before, slots));
  }

  @Override
  public void put(Waiting waiting) {
    injector.call(
        Operation.LEDGER_PUT,
        () -> {
          ledger.put(waiting);
          return true;
        });
  }

  @Override
  public void removeWaiting(String job, String worker) {
    injector.call(
        Operation.LEDGER_REMOVE,
        () -> {
          ledger.removeWaiting(job, worker);
          return true;
        });
  }

  @Override
  public LedgerCounter counter() {
    return injector.call(Operation.LEDGER_COUNTER, ledger::counter);
  }

  @Override
  public Optional<Reservation> reservation() {
    return injector.call(Operation.LEDGER_RESERVATION, ledger::reservation);
  }

  @Override
  public LedgerView view() {
    return injector.call(Operation.LEDGER_VIEW, ledger::view);
  }
}
