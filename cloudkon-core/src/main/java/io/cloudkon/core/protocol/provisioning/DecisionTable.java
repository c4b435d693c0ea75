package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a table {@code Q-decisions}, and the rules of {@link DecisionStore} by which they
 * change. Each call is one conditional write or one read. Not thread safe.
 */
public final class DecisionTable {
  private @Nullable ProvisionerEntry provisioner;
  private final NavigableMap<Long, Decision> decisions = new TreeMap<>();
  private final NavigableMap<Integer, IdleSeat> seats = new TreeMap<>();
  private ClusterSettings settings = ClusterSettings.DEFAULT;

  /** See {@link DecisionStore#provisioner}. */
  public Optional<ProvisionerEntry> provisioner() {
    return Optional.ofNullable(provisioner);
  }

  /** See {@link DecisionStore#take}. */
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    ProvisionerEntry current = provisioner;
    boolean asSeen =
        current == null
            ? seen.isEmpty()
            : seen.isPresent()
                && seen.get().isShownBy(current)
                && seen.get().nextDecision() == current.nextDecision();
    if (!asSeen) {
      return current != null && next.isShownBy(current);
    }
    provisioner = next;
    return true;
  }

  /** See {@link DecisionStore#renew}. */
  public boolean renew(ProvisionerEntry entry) {
    ProvisionerEntry current = provisioner;
    if (current == null || !entry.mayReplace(current)) {
      return current != null && entry.isShownBy(current);
    }
    provisioner = entry.withNextDecision(current.nextDecision());
    return true;
  }

  /** See {@link DecisionStore#intend}. */
  public boolean intend(Decision decision) {
    Decision there = decisions.get(decision.number());
    if (there != null) {
      return there.token().equals(decision.token());
    }
    ProvisionerEntry current = provisioner;
    if (current == null
        || !current.holder().equals(decision.holder())
        || current.nextDecision() != decision.number()) {
      return false;
    }
    decisions.put(decision.number(), decision);
    provisioner = current.withNextDecision(decision.number() + 1);
    return true;
  }

  /** See {@link DecisionStore#update}. */
  public boolean update(Decision decision) {
    Decision current = decisions.get(decision.number());
    if (current == null || !decision.mayReplace(current)) {
      return current != null && decision.isShownBy(current);
    }
    decisions.put(decision.number(), current.asFarAs(decision));
    return true;
  }

  /** See {@link DecisionStore#decisions}. */
  public List<Decision> decisions(long first, long last) {
    return last < first
        ? List.of()
        : List.copyOf(decisions.subMap(first, true, last, true).values());
  }

  /** See {@link DecisionStore#sit}. */
  public boolean sit(IdleSeat seat, long nowMillis) {
    IdleSeat current = seats.get(seat.index());
    boolean mine = current != null && current.worker().equals(seat.worker());
    boolean takes =
        current == null
            || current.leaseEnd() < nowMillis
            || (mine && current.leaseEnd() <= seat.leaseEnd());
    if (takes) {
      seats.put(seat.index(), seat);
    }
    return takes || mine;
  }

  /** See {@link DecisionStore#leave}. */
  public void leave(int index, String worker) {
    IdleSeat current = seats.get(index);
    if (current != null && current.worker().equals(worker)) {
      seats.remove(index);
    }
  }

  /** See {@link DecisionStore#settings}. */
  public ClusterSettings settings() {
    return settings;
  }

  /** See {@link DecisionStore#keep}. */
  public void keep(ClusterSettings kept) {
    settings = kept;
  }

  /** See {@link DecisionStore#seats}. */
  public List<IdleSeat> seats() {
    return List.copyOf(seats.values());
  }
}
