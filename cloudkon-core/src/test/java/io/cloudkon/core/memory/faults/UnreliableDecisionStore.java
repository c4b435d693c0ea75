package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;
import java.util.Optional;

/** A decision store whose calls meet their fates. */
final class UnreliableDecisionStore implements DecisionStore {
  private final DecisionStore store;
  private final Injector injector;

  UnreliableDecisionStore(DecisionStore store, Injector injector) {
    this.store = store;
    this.injector = injector;
  }

  @Override
  public Optional<ProvisionerEntry> provisioner() {
    return injector.call(Operation.DECISION_PROVISIONER, store::provisioner);
  }

  @Override
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    return injector.call(Operation.DECISION_TAKE, () -> store.take(next, seen));
  }

  @Override
  public boolean renew(ProvisionerEntry entry) {
    return injector.call(Operation.DECISION_RENEW, () -> store.renew(entry));
  }

  @Override
  public boolean intend(Decision decision) {
    return injector.call(Operation.DECISION_INTEND, () -> store.intend(decision));
  }

  @Override
  public boolean update(Decision decision) {
    return injector.call(Operation.DECISION_UPDATE, () -> store.update(decision));
  }

  @Override
  public List<Decision> decisions(long first, long last) {
    return injector.call(Operation.DECISION_READ, () -> store.decisions(first, last));
  }

  @Override
  public boolean sit(IdleSeat seat, long nowMillis) {
    return injector.call(Operation.SEAT_SIT, () -> store.sit(seat, nowMillis));
  }

  @Override
  public void leave(int index, String worker) {
    injector.call(
        Operation.SEAT_LEAVE,
        () -> {
          store.leave(index, worker);
          return true;
        });
  }

  @Override
  public ClusterSettings settings() {
    return injector.call(Operation.SETTINGS_READ, store::settings);
  }

  @Override
  public void keep(ClusterSettings settings) {
    injector.call(
        Operation.SETTINGS_KEEP,
        () -> {
          store.keep(settings);
          return true;
        });
  }

  @Override
  public List<IdleSeat> seats() {
    return injector.call(Operation.SEAT_LIST, store::seats);
  }
}
