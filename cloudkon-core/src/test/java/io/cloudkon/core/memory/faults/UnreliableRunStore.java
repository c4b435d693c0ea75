package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import java.util.List;
import java.util.Optional;

/** A run store whose calls meet their fates. */
final class UnreliableRunStore implements RunStore {
  private final RunStore store;
  private final Injector injector;

  UnreliableRunStore(RunStore store, Injector injector) {
    this.store = store;
    this.injector = injector;
  }

  @Override
  public boolean create(RunEntry run) {
    return injector.call(Operation.RUN_CREATE, () -> store.create(run));
  }

  @Override
  public Optional<RunEntry> read(String run) {
    return injector.call(Operation.RUN_READ, () -> store.read(run));
  }

  @Override
  public boolean update(RunEntry run) {
    return injector.call(Operation.RUN_UPDATE, () -> store.update(run));
  }

  @Override
  public boolean takeOver(RunEntry next, RunEntry seen) {
    return injector.call(Operation.RUN_TAKE_OVER, () -> store.takeOver(next, seen));
  }

  @Override
  public Optional<RunEntry> cancel(String run, long now) {
    return injector.call(Operation.RUN_CANCEL, () -> store.cancel(run, now));
  }

  @Override
  public boolean handIn(String run, FinishedTasks more) {
    return injector.call(Operation.RUN_HAND_IN, () -> store.handIn(run, more));
  }

  @Override
  public List<RunEntry> list() {
    return injector.call(Operation.RUN_LIST, store::list);
  }
}
