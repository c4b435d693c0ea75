package io.cloudkon.core.memory;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerRegistry;
import java.util.List;

/** The workers' entries of one cluster in memory; they stay until they are removed. */
final class MemoryWorkerRegistry implements WorkerRegistry {
  private final MemoryTable<WorkerEntry> table;

  MemoryWorkerRegistry(MemoryTable<WorkerEntry> table) {
    this.table = table;
  }

  @Override
  public void put(WorkerEntry entry) {
    WorkerEntry unused =
        table.with(workers -> {
          workers.put(entry.id(), entry);
          return entry;
        });
  }

  @Override
  public void remove(String worker) {
    boolean unused = table.with(workers -> workers.remove(worker) != null);
  }

  @Override
  public List<WorkerEntry> list() {
    return table.list();
  }
}
