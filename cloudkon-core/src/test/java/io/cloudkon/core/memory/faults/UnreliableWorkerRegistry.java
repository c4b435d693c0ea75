package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerRegistry;
import java.util.List;

/** A worker registry whose calls meet their fates. */
final class UnreliableWorkerRegistry implements WorkerRegistry {
  private final WorkerRegistry registry;
  private final Injector injector;

  UnreliableWorkerRegistry(WorkerRegistry registry, Injector injector) {
    this.registry = registry;
    this.injector = injector;
  }

  @Override
  public void put(WorkerEntry entry) {
    injector.call(
        Operation.WORKER_PUT,
        () -> {
          registry.put(entry);
          return true;
        });
  }

  @Override
  public void remove(String worker) {
    injector.call(
        Operation.WORKER_REMOVE,
        () -> {
          registry.remove(worker);
          return true;
        });
  }

  @Override
  public List<WorkerEntry> list() {
    return injector.call(Operation.WORKER_LIST, registry::list);
  }
}
