package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A lower bound for the duration of tasks, from workers that have been busy for long without
 * finishing one, so that a thousand tasks of an hour do not wait for the first of them to end. The
 * time in which a worker only prepares shipped files does not count. Not thread safe.
 */
final class UnfinishedTimes {
  /** Shorter times may lie between two reports. */
  private static final long LEAST_MILLIS = 15_000;

  private final Map<String, Busy> workers = new HashMap<>();
  private double atLeast;

  private record Busy(long tasksDone, long since) {}

  void look(List<WorkerEntry> working, Moment now) {
    Map<String, Busy> before = new HashMap<>(workers);
    workers.clear();
    for (WorkerEntry worker : working) {
      if (worker.running() > 0 && worker.role().equals("worker")) {
        Busy old = before.get(worker.id());
        boolean same = old != null && old.tasksDone() == worker.tasksDone();
        workers.put(worker.id(), same ? old : new Busy(worker.tasksDone(), now.mono()));
      }
    }
    double mean =
        workers.values().stream().mapToLong(busy -> now.mono() - busy.since()).average().orElse(0);
    atLeast = mean < LEAST_MILLIS ? 0 : mean;
  }

  /** The lower bound in milliseconds; 0 if nothing is known. */
  double atLeast() {
    return atLeast;
  }
}
