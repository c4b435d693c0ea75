package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table in which workers say how they are; entries of those that died expire. */
public final class SimEntries {
  /** In milliseconds; long after anybody takes such a worker for a living one. */
  private static final long EXPIRED = 3_600_000;

  private final Network network;
  private final Map<String, WorkerEntry> entries = new TreeMap<>();
  private final Map<String, Long> first = new HashMap<>();

  SimEntries(Network network) {
    this.network = network;
  }

  /** Writes a worker's entry over its last one. */
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

  /** Reads all of them. */
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

  /** A worker's entry as it stands; null if there is none. */
  public @Nullable WorkerEntry of(String worker) {
    return entries.get(worker);
  }

  /** When a worker's first entry was written, in milliseconds; never is the far future. */
  public long firstWritten(String worker) {
    return first.getOrDefault(worker, Long.MAX_VALUE);
  }

  /** All of them, as they stand. */
  public List<WorkerEntry> now() {
    return List.copyOf(entries.values());
  }
}
