package io.cloudkon.client.session;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gives every task of a cancelled run that has no final result the status CANCELLED. */
final class Settlement {
  private static final String WHY = "the run was cancelled";
  private static final int CHUNK = 1_000;

  private final Workload workload;
  private final RunAccount account;
  private final ResultSink sink;
  private final RunStatistics statistics;
  private final TreeMap<Integer, SentBundle> bundles = new TreeMap<>();
  private final List<TaskResult> cancelled = new ArrayList<>();

  Settlement(Workload workload, RunAccount account, ResultSink sink, RunStatistics statistics) {
    this.workload = workload;
    this.account = account;
    this.sink = sink;
    this.statistics = statistics;
    account.outstanding().forEach(bundle -> bundles.put(bundle.firstOrdinal(), bundle));
  }

  /**
   * Writes the results of these tasks, and returns when they are on disk.
   *
   * @param settled tasks that already have their line, besides those that the account knows
   * @param now when the run was cancelled; this machine's clock, epoch microseconds
   */
  void settle(BitSet settled, long now) {
    // For a stream that was not read to its end, only the tasks in bundles count.
    long known = workload.knownTasks() >= 0 ? Long.MAX_VALUE : account.counts().tasks();
    long tasks = 0;
    try (TaskReader reader = workload.readFrom(0, 0, 1)) {
      while (tasks < known) {
        Task task = reader.next();
        if (task == null) {
          break;
        }
        tasks++;
        if (!account.collecting().isFinal(task.ordinal()) && !settled.get(task.ordinal())) {
          cancel(task, now);
        }
      }
    }
    count();
    sink.flushAndSync();
  }

  private void cancel(Task task, long now) {
    TaskResult result =
        TaskResult.notRun(task.ordinal(), task.id(), TaskStatus.CANCELLED, WHY, now);
    sink.accept(times(task.ordinal(), now), "", 0, result, 0);
    cancelled.add(result);
    if (cancelled.size() == CHUNK) {
      count();
    }
  }

  private BundleTimes times(int ordinal, long now) {
    Map.Entry<Integer, SentBundle> entry = bundles.floorEntry(ordinal);
    if (entry == null || ordinal >= entry.getKey() + entry.getValue().tasks()) {
      return BundleTimes.withoutWorker(now, now, now, now);
    }
    SentBundle bundle = entry.getValue();
    return BundleTimes.withoutWorker(bundle.submitted(), bundle.sendBegun(), bundle.sent(), now);
  }

  private void count() {
    statistics.acceptWithoutWorker(cancelled);
    cancelled.clear();
  }
}
