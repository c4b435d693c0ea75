package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table of worker entries; those of dead workers expire. */
public final class SimEntries {
  /**
   * The lifetime of an entry, in milliseconds; long after the time when the worker counts as dead.
   */
  private static final long EXPIRED = 3_600_000;

  private final Network network;
  private final Map<String, WorkerEntry> entries = new TreeMap<>();
  private final Map<String, Long> first = new HashMap<>();

  SimEntries(Network network) {
    this.network = network;
  }

  /** Writes a worker's entry, replacing the previous one. */
  public void put(SimProcess caller, WorkerEntry entry, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.WORKER_WRITE,
        1,
        () -> "says that %d of %d slots are busy".formatted(entry.busy(), entry.slots()),
        () -> {
          entries.put(entry.id(), entry);
          first.putIfAbsent(entry.id(), network.timeline().now() / 1000);
          return true;
        },
        reply);
  }

  /** Removes a worker's entry. */
  public void remove(SimProcess caller, String worker, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.WORKER_WRITE,
        1,
        () -> "removes its entry",
        () -> {
          entries.remove(worker);
          return true;
        },
        reply);
  }

  /** Reads all entries. */
  public void list(SimProcess caller, Reply<List<WorkerEntry>> reply) {
    network.call(
        caller,
        Call.WORKER_LIST,
        Math.max(1, entries.size() / 16),
        () -> "lists workers",
        () -> {
          long now = network.timeline().now() / 1000;
          entries.values().removeIf(entry -> now - entry.updatedMillis() > EXPIRED);
          return List.copyOf(entries.values());
        },
        reply);
  }

  /** A worker's current entry; null if there is none. */
  public @Nullable WorkerEntry of(String worker) {
    return entries.get(worker);
  }

  /** The time of a worker's first entry, in milliseconds; the far future if there is none. */
  public long firstWritten(String worker) {
    return first.getOrDefault(worker, Long.MAX_VALUE);
  }

  /** All current entries. */
  public List<WorkerEntry> now() {
    return List.copyOf(entries.values());
  }
}
