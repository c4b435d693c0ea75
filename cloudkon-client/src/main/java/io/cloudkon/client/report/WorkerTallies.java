package io.cloudkon.client.report;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch.WorkerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The workers of a run, by id. Not thread safe: {@link RunStatistics} guards it. */
final class WorkerTallies {
  private final SortedMap<String, WorkerTally> workers = new TreeMap<>();
  private final GangTimes gangs = new GangTimes();

  /** The tally of a worker. */
  WorkerTally of(String id) {
    return workers.computeIfAbsent(id, WorkerTally::new);
  }

  /** All tallies, in the order of the workers' ids. */
  Collection<WorkerTally> all() {
    return workers.values();
  }

  /** The times of the gangs of HPC jobs. */
  GangTimes gangs() {
    return gangs;
  }

  /**
   * Adds a task, which kept one slot of the worker busy, or an HPC job, which kept one slot busy
   * for each rank, on any worker.
   */
  void ran(WorkerTally by, List<RankResult> ranks, long micros, StageStamps stamps) {
    if (ranks.isEmpty()) {
      by.ran(1, micros);
      by.staged(Stage.STAGE.micros(stamps));
      return;
    }
    gangs.accept(stamps);
    Map<String, Integer> counts = new HashMap<>();
    ranks.forEach(rank -> counts.merge(rank.worker(), 1, Integer::sum));
    counts.forEach((id, count) -> {
      WorkerTally worker = id.isEmpty() ? by : of(id);
      worker.ran(count, micros);
      if (worker != by) {
        worker.joined(count, stamps.bundle());
      }
    });
  }

  /**
   * Sets which workers are alive at the end; any other worker counts until its last message.
   *
   * @param live the live workers' own descriptions, by id
   */
  void onlyLive(Map<String, WorkerId> live) {
    workers.forEach((id, tally) -> {
      WorkerId worker = live.get(id);
      if (worker == null) {
        tally.isGone();
      } else {
        tally.lives(worker);
      }
    });
  }
}
