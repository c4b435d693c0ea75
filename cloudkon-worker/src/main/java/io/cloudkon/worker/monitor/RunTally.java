package io.cloudkon.worker.monitor;

import io.cloudkon.core.port.FinishedTasks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a worker has finished, by run. The runs on which it works ride in its entry; what it has
 * finished of others leaves for the table of runs, so that entries stay small and no count is lost
 * when a worker ends. Thread safe.
 */
final class RunTally {
  /** A worker's entry shall be within one write unit of 1 KB. */
  private static final int RUNS = 8;

  /** As long as the entry of a worker that died stays, so that as much counts of it. */
  private static final double QUIET_SECONDS = TimeUnit.MINUTES.toSeconds(10);

  /** Rates are means over about so long. */
  private static final double MEAN_OVER_SECONDS = TimeUnit.MINUTES.toSeconds(5);

  /** In order of the last end of a task, the latest at the end. */
  private final LinkedHashMap<String, Count> counts = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Count {
    long tasks;
    long failed;
    long news;
    double rate;
    double weight;
    double quietSeconds;

    FinishedTasks finished() {
      return new FinishedTasks(tasks, failed, weight == 0 ? 0 : rate / weight);
    }

    void pass(double seconds) {
      double part = -Math.expm1(-seconds / MEAN_OVER_SECONDS);
      rate += part * (news / seconds - rate);
      weight += part * (1 - weight);
      quietSeconds = news > 0 ? 0 : quietSeconds + seconds;
      news = 0;
    }
  }

  /** So many tasks came to their end, and so many of them did not succeed. */
  synchronized void finished(String run, int tasks, int failed) {
    if (tasks > 0) {
      Count count = counts.computeIfAbsent(run, r -> new Count());
      count.tasks += tasks;
      count.failed += failed;
      count.news += tasks;
    }
  }

  /** So many seconds have passed since it was told so last; more than 0. */
  synchronized void pass(double seconds) {
    counts.values().forEach(count -> count.pass(seconds));
  }

  /** All it has, by run. */
  synchronized Map<String, FinishedTasks> all() {
    Map<String, FinishedTasks> all = new HashMap<>();
    counts.forEach((run, count) -> all.put(run, count.finished()));
    return all;
  }

  /** Of which runs it has nothing more to say: it works on others. */
  synchronized List<String> leaving() {
    List<String> leaving = new ArrayList<>();
    int more = counts.size() - RUNS;
    for (Map.Entry<String, Count> each : counts.entrySet()) {
      if (more > 0 || each.getValue().quietSeconds >= QUIET_SECONDS) {
        leaving.add(each.getKey());
        more--;
      }
    }
    return leaving;
  }

  /** This much of a run was handed in. */
  synchronized void left(String run, FinishedTasks handedIn) {
    Count count = counts.get(run);
    if (count != null) {
      count.tasks -= handedIn.tasks();
      count.failed -= handedIn.failed();
      if (count.tasks <= 0) {
        counts.remove(run);
      }
    }
  }
}
