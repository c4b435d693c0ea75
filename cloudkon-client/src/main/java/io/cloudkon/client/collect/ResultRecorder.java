package io.cloudkon.client.collect;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ClockOffsets;
import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.CollectingAccount.Sorted;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes final results to the run's files and statistics, and keeps provisionally LOST ones. Thread
 * safe.
 */
final class ResultRecorder {
  /**
   * A provisionally LOST task.
   *
   * @param gone whether it stays LOST if the run is cancelled
   */
  private record Provisional(
      BundleTimes times, String worker, int attempt, TaskResult result, boolean gone) {}

  private final ResultSink sink;
  private final RunStatistics statistics;
  private final Journal journal;
  private final TimeSource time;
  private final ClockOffsets offsets = new ClockOffsets();
  private final Map<Integer, Provisional> provisional = new ConcurrentHashMap<>();

  ResultRecorder(ResultSink sink, RunStatistics statistics, Journal journal, TimeSource time) {
    this.sink = sink;
    this.statistics = statistics;
    this.journal = journal;
    this.time = time;
  }

  /**
   * Records a worker's message.
   *
   * @param replied when the response queue accepted it; this machine's clock, epoch microseconds
   * @param collectBegun when the receive that brought it began; likewise
   * @param collected when that receive returned; likewise
   */
  void accept(ResultBatch batch, Sorted sorted, long replied, long collectBegun, long collected) {
    SentBundle bundle = sorted.bundle();
    long sendBegun = bundle == null ? 0 : bundle.sendBegun();
    long offset =
        offsets.observe(
            batch.worker().id(),
            sendBegun,
            batch.stamps().received(),
            batch.stamps().replyBegun(),
            collected);
    long known = sendBegun == 0 ? batch.stamps().receiveBegun() - offset : sendBegun;
    BundleTimes times =
        BundleTimes.of(
            bundle == null ? known : bundle.submitted(),
            known,
            bundle == null || bundle.sent() == 0 ? known : bundle.sent(),
            batch.stamps(),
            offset,
            replied,
            collectBegun,
            collected);
    if (!provisional.isEmpty()) {
      sorted.fresh().forEach(result -> provisional.remove(result.ordinal()));
    }
    try {
      sink.accept(times, batch.worker().id(), batch.attempt(), sorted.fresh(), offset);
    } catch (RuntimeException | Error e) {
      // If only nobody takes them any more, they are written.
      try {
        count(batch, sorted, times, offset);
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    // After the sink, because somebody may wait for one of these results.
    count(batch, sorted, times, offset);
  }

  private void count(ResultBatch batch, Sorted sorted, BundleTimes times, long offset) {
    statistics.accept(batch, times, sorted.fresh(), offset);
    statistics.dropDuplicates(sorted.duplicates());
    for (TaskResult result : sorted.provisional()) {
      provisional.put(
          result.ordinal(),
          new Provisional(times, batch.worker().id(), batch.attempt(), result, true));
    }
    journalProvisional(sorted.provisional());
  }

  /**
   * Keeps results of tasks that no worker reports on: they are provisionally LOST.
   *
   * @param gone whether a task stays LOST if the run is cancelled; only such tasks are written to
   *     the journal
   */
  void provisional(List<TaskResult> lost, IntPredicate gone, @Nullable SentBundle bundle) {
    long now = time.wallMicros();
    BundleTimes times =
        bundle == null
            ? BundleTimes.withoutWorker(now, now, now, now)
            : BundleTimes.withoutWorker(bundle.submitted(), bundle.sendBegun(), bundle.sent(), now);
    for (TaskResult result : lost) {
      boolean stays = gone.test(result.ordinal());
      provisional.put(result.ordinal(), new Provisional(times, "", 0, result, stays));
    }
    journalProvisional(lost.stream().filter(result -> gone.test(result.ordinal())).toList());
  }

  /** Like {@link #provisional}, for tasks that the journal already lists. */
  void restore(List<TaskResult> lost) {
    long now = time.wallMicros();
    BundleTimes times = BundleTimes.withoutWorker(now, now, now, now);
    lost.forEach(
        result -> provisional.put(result.ordinal(), new Provisional(times, "", 0, result, true)));
  }

  private void journalProvisional(List<TaskResult> lost) {
    if (!lost.isEmpty()) {
      journal.append(
          List.of(
              new JournalEntry.ProvisionallyLost(lost.stream().map(TaskResult::ordinal).toList())));
    }
  }

  /** Makes provisionally LOST tasks finally LOST. */
  void lostForGood(int[] ordinals) {
    List<TaskResult> results = new ArrayList<>(ordinals.length);
    for (int ordinal : ordinals) {
      Provisional lost = provisional.remove(ordinal);
      if (lost != null) {
        sink.accept(lost.times(), lost.worker(), lost.attempt(), lost.result(), 0);
        results.add(lost.result());
      }
    }
    statistics.acceptWithoutWorker(results);
  }

  /**
   * Makes those provisionally LOST tasks finally LOST that stay so in a cancelled run; returns
   * their ordinals.
   *
   * @param closed whether a task counts as having its final result already
   */
  BitSet settle(IntPredicate closed) {
    BitSet settled = new BitSet();
    provisional.forEach((ordinal, lost) -> {
      if (lost.gone() || closed.test(ordinal)) {
        settled.set(ordinal);
      }
    });
    lostForGood(settled.stream().toArray());
    return settled;
  }

  /** Returns when everything recorded would survive a crash. */
  void sync() {
    sink.flushAndSync();
  }
}
