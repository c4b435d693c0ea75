package io.cloudkon.worker.monitor;

import io.cloudkon.core.port.FinishedTasks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts a worker's finished tasks by run. The counts are part of the worker's entry and are handed
 * in to the table of runs every few minutes, so that entries stay small and little is lost with a
 * worker. Thread safe.
 */
final class RunTally {
  /** The maximum number of runs in an entry, which must fit in one write unit of 1 KB. */
  private static final int SHOWN = 8;

  private static final double HAND_IN_AFTER_SECONDS = TimeUnit.MINUTES.toSeconds(5);

  /** A run without a finished task for this long is one that the worker no longer works on. */
  private static final double QUIET_SECONDS = TimeUnit.MINUTES.toSeconds(10);

  /** The approximate time over which rates are averaged. */
  private static final double MEAN_OVER_SECONDS = TimeUnit.MINUTES.toSeconds(5);

  /** A lower rate counts as 0, because DynamoDB accepts no number below 1E-130. */
  private static final double SLOWEST = 1e-6;

  /** The counts by run, in the order of the last finished task, the latest at the end. */
  private final LinkedHashMap<String, Count> counts = new LinkedHashMap<>();

  private static final class Count {
    long tasks;
    long failed;
    long news;
    double rate;
    double weight;
    double quietSeconds;
    double keptSeconds;

    FinishedTasks finished() {
      double mean = weight == 0 ? 0 : rate / weight;
      return new FinishedTasks(tasks, failed, mean < SLOWEST ? 0 : mean);
    }

    void pass(double seconds) {
      double part = -Math.expm1(-seconds / MEAN_OVER_SECONDS);
      rate += part * (news / seconds - rate);
      weight += part * (1 - weight);
      quietSeconds = news > 0 ? 0 : quietSeconds + seconds;
      keptSeconds += seconds;
      news = 0;
    }
  }

  /** Adds finished tasks, and the number of those that did not succeed. */
  synchronized void finished(String run, int tasks, int failed) {
    if (tasks > 0) {
      Count count = counts.remove(run);
      count = count == null ? new Count() : count;
      counts.put(run, count);
      count.tasks += tasks;
      count.failed += failed;
      count.news += tasks;
    }
  }

  /** Records that so many seconds have passed since the last call; more than 0. */
  synchronized void pass(double seconds) {
    counts.values().forEach(count -> count.pass(seconds));
    counts.values().removeIf(count -> count.tasks == 0 && count.quietSeconds >= QUIET_SECONDS);
  }

  /** The counts that are not handed in yet, by run. */
  synchronized Map<String, FinishedTasks> all() {
    Map<String, FinishedTasks> all = new HashMap<>();
    counts.forEach((run, count) -> all.put(run, count.finished()));
    return all;
  }

  /** The counts to be handed in now: those kept for long, and those without room in the entry. */
  synchronized Map<String, FinishedTasks> due() {
    Map<String, FinishedTasks> due = new HashMap<>();
    List<String> shown = latest();
    counts.forEach((run, count) -> {
      boolean kept = count.keptSeconds >= HAND_IN_AFTER_SECONDS;
      if (count.tasks > 0 && (kept || !shown.contains(run))) {
        due.put(run, count.finished());
      }
    });
    return due;
  }

  /**
   * The counts in the entry while others are handed in; for the runs that are due, only the rate.
   */
  synchronized Map<String, FinishedTasks> shownBeside(Map<String, FinishedTasks> due) {
    Map<String, FinishedTasks> shown = all();
    shown.keySet().retainAll(latest());
    shown.replaceAll((run, finished) ->
        due.containsKey(run) ? new FinishedTasks(0, 0, finished.perSecond()) : finished);
    return shown;
  }

  private List<String> latest() {
    List<String> all = new ArrayList<>(counts.keySet());
    return all.subList(Math.max(0, all.size() - SHOWN), all.size());
  }

  /** Subtracts counts of a run that were handed in or dropped. */
  synchronized void left(String run, FinishedTasks handedIn) {
    Count count = counts.get(run);
    if (count != null) {
      count.tasks -= handedIn.tasks();
      count.failed -= handedIn.failed();
      count.keptSeconds = 0;
    }
  }
}
