package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.BundleMachine;
import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** A message with one claim, or none. */
final class WholeBundle implements Holding {
  private final Bundle bundle;
  private final BundleMachine machine;

  WholeBundle(WorkerEvent.Arrival arrival, WorkerSettings settings, Moment hiddenSince) {
    this.bundle = arrival.bundle();
    this.machine =
        new BundleMachine(
            bundle,
            arrival.receives(),
            settings.bundles(),
            settings.id(),
            arrival.nonce(),
            hiddenSince);
  }

  @Override
  public Bundle bundle() {
    return bundle;
  }

  @Override
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    return machine.on(event, now);
  }

  @Override
  public Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    return machine.take(max, startsAhead, now, out);
  }

  @Override
  public int attempt(int position) {
    return machine.attempt();
  }

  @Override
  public boolean oneByOne() {
    return machine.oneByOne();
  }

  @Override
  public boolean untouched() {
    return machine.phase() == BundlePhase.HELD;
  }

  @Override
  public boolean isWork(Moment now) {
    return machine.isWork(now);
  }

  @Override
  public boolean mayBegin(int slots) {
    return untouched();
  }

  @Override
  public int heldTasks() {
    return untouched() ? bundle.tasks().size() : 0;
  }

  @Override
  public int begunTasks() {
    return machine.phase() == BundlePhase.CLAIMING ? bundle.tasks().size() : pendingCount();
  }

  @Override
  public int pendingCount() {
    return machine.pendingCount();
  }
}
