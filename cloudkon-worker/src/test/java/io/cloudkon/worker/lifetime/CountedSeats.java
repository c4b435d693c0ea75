package io.cloudkon.worker.lifetime;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The decisions as one worker sees them, which counts its conditional calls. */
final class CountedSeats implements DecisionStore {
  private final DecisionStore whole;
  private final AtomicInteger sits = new AtomicInteger();

  CountedSeats(DecisionStore whole) {
    this.whole = whole;
  }

  int sits() {
    return sits.get();
  }

  @Override
  public Optional<ProvisionerEntry> provisioner() {
    return whole.provisioner();
  }

  @Override
  public boolean take(ProvisionerEntry next, Optional<ProvisionerEntry> seen) {
    return whole.take(next, seen);
  }

  @Override
  public boolean renew(ProvisionerEntry entry) {
    return whole.renew(entry);
  }

  @Override
  public boolean intend(Decision decision) {
    return whole.intend(decision);
  }

  @Override
  public boolean update(Decision decision) {
    return whole.update(decision);
  }

  @Override
  public List<Decision> decisions(long first, long last) {
    return whole.decisions(first, last);
  }

  @Override
  public boolean sit(IdleSeat seat, long nowMillis) {
    sits.incrementAndGet();
    return whole.sit(seat, nowMillis);
  }

  @Override
  public void leave(int index, String worker) {
    whole.leave(index, worker);
  }

  @Override
  public ClusterSettings settings() {
    return whole.settings();
  }

  @Override
  public void keep(ClusterSettings settings) {
    whole.keep(settings);
  }

  @Override
  public List<IdleSeat> seats() {
    return whole.seats();
  }
}
