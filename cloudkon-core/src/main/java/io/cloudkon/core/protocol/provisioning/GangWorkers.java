package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Detects workers whose slots have all been in gangs for a while without finishing a task, so that
 * tasks do not wait for the end of gangs that run for hours. Not thread safe.
 */
final class GangWorkers {
  /** Most gangs end sooner than this, and their slots serve tasks again. */
  static final long LEAST_MILLIS = 15_000;

  private final Map<String, Full> workers = new HashMap<>();

  private record Full(long tasksDone, long since) {}

  /** Reads the live workers; returns the ids of those on which no task starts. */
  Set<String> look(List<WorkerEntry> working, Moment now) {
    Map<String, Full> before = new HashMap<>(workers);
    workers.clear();
    for (WorkerEntry worker : working) {
      if (inGang(worker) && worker.busy() >= worker.slots()) {
        Full old = before.get(worker.id());
        boolean same = old != null && old.tasksDone() == worker.tasksDone();
        workers.put(worker.id(), same ? old : new Full(worker.tasksDone(), now.mono()));
      }
    }
    return workers.entrySet().stream()
        .filter(one -> now.mono() - one.getValue().since() >= LEAST_MILLIS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  static boolean inGang(WorkerEntry worker) {
    return worker.role().equals("manager") || worker.role().equals("sub-worker");
  }
}
