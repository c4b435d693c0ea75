package io.cloudkon.core.memory;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The decisions of one cluster in memory; they stay until the cluster is removed. */
final class MemoryDecisionStore implements DecisionStore {
  private static final String KEY = "decisions";

  private final MemoryTable<Kept> table;

  MemoryDecisionStore(MemoryTable<Kept> table) {
    this.table = table;
  }

  /** All that the table holds. */
  static final class Kept {
    private @Nullable ProvisionerEntry provisioner;
    private final NavigableMap<Long, Decision> decisions = new TreeMap<>();
    private final NavigableMap<Integer, Seat> seats = new TreeMap<>();
  }

  private <R> R with(Function<Kept, R> use) {
    return table.with(items -> use.apply(items.computeIfAbsent(KEY, key -> new Kept())));
  }

  @Override
  public Optional<ProvisionerEntry> provisioner() {
    return with(kept -> Optional.ofNullable(kept.provisioner));
  }

  @Override
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    return with(kept -> {
      ProvisionerEntry current = kept.provisioner;
      boolean asSeen =
          current == null
              ? seen.isEmpty()
              : seen.isPresent()
                  && seen.get().isShownBy(current)
                  && seen.get().nextDecision() == current.nextDecision();
      if (!asSeen) {
        return current != null && next.isShownBy(current);
      }
      kept.provisioner = next;
      return true;
    });
  }

  @Override
  public boolean renew(ProvisionerEntry entry) {
    return with(kept -> {
      ProvisionerEntry current = kept.provisioner;
      if (current == null || !entry.mayReplace(current)) {
        return current != null && entry.isShownBy(current);
      }
      kept.provisioner = entry.withNextDecision(current.nextDecision());
      return true;
    });
  }

  @Override
  public boolean intend(Decision decision) {
    return with(kept -> {
      Decision there = kept.decisions.get(decision.number());
      if (there != null) {
        return there.token().equals(decision.token());
      }
      ProvisionerEntry current = kept.provisioner;
      if (current == null
          || !current.holder().equals(decision.holder())
          || current.nextDecision() != decision.number()) {
        return false;
      }
      kept.decisions.put(decision.number(), decision);
      kept.provisioner = current.withNextDecision(decision.number() + 1);
      return true;
    });
  }

  @Override
  public boolean update(Decision decision) {
    return with(kept -> {
      Decision current = kept.decisions.get(decision.number());
      if (current == null || !current.token().equals(decision.token())) {
        return false;
      }
      if (current.updatedMillis() >= decision.updatedMillis()) {
        return current.equals(decision);
      }
      kept.decisions.put(decision.number(), decision);
      return true;
    });
  }

  @Override
  public List<Decision> decisions(long first, long last) {
    return last < first
        ? List.of()
        : with(kept -> List.copyOf(kept.decisions.subMap(first, true, last, true).values()));
  }

  @Override
  public boolean sit(Seat seat, long nowMillis) {
    return with(kept -> {
      Seat current = kept.seats.get(seat.index());
      if (current != null
          && !current.worker().equals(seat.worker())
          && current.leaseEnd() >= nowMillis) {
        return false;
      }
      kept.seats.put(seat.index(), seat);
      return true;
    });
  }

  @Override
  public void leave(int index, String worker) {
    boolean unused =
        with(kept -> {
          Seat current = kept.seats.get(index);
          return current != null
              && current.worker().equals(worker)
              && kept.seats.remove(index, current);
        });
  }

  @Override
  public List<Seat> seats() {
    return with(kept -> new ArrayList<>(kept.seats.values()));
  }
}
