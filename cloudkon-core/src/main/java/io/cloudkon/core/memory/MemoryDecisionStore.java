package io.cloudkon.core.memory;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.provisioning.DecisionTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The decisions of one cluster in memory; they stay until the cluster is removed. */
final class MemoryDecisionStore implements DecisionStore {
  private static final String KEY = "decisions";

  private final MemoryTable<DecisionTable> table;

  MemoryDecisionStore(MemoryTable<DecisionTable> table) {
    this.table = table;
  }

  private <R> R with(Function<DecisionTable, R> use) {
    return table.with(items -> use.apply(items.computeIfAbsent(KEY, key -> new DecisionTable())));
  }

  @Override
  public Optional<ProvisionerEntry> provisioner() {
    return with(DecisionTable::provisioner);
  }

  @Override
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    return with(kept -> kept.take(next, seen));
  }

  @Override
  public boolean renew(ProvisionerEntry entry) {
    return with(kept -> kept.renew(entry));
  }

  @Override
  public boolean intend(Decision decision) {
    return with(kept -> kept.intend(decision));
  }

  @Override
  public boolean update(Decision decision) {
    return with(kept -> kept.update(decision));
  }

  @Override
  public List<Decision> decisions(long first, long last) {
    return with(kept -> kept.decisions(first, last));
  }

  @Override
  public boolean sit(IdleSeat seat, long nowMillis) {
    return with(kept -> kept.sit(seat, nowMillis));
  }

  @Override
  public void leave(int index, String worker) {
    boolean unused =
        with(kept -> {
          kept.leave(index, worker);
          return true;
        });
  }

  @Override
  public ClusterSettings settings() {
    return with(DecisionTable::settings);
  }

  @Override
  public void keep(ClusterSettings settings) {
    boolean unused =
        with(kept -> {
          kept.keep(settings);
          return true;
        });
  }

  @Override
  public List<IdleSeat> seats() {
    return with(DecisionTable::seats);
  }
}
