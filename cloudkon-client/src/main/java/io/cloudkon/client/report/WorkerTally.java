package io.cloudkon.client.report;

import io.cloudkon.core.model.ResultBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Sums of the work that one worker has done for the run so far. Not thread safe: {@link
 * RunStatistics} guards it.
 */
final class WorkerTally {
  private final String id;
  private final Map<String, ResultBatch.Calls> calls = new HashMap<>();
  private int slots;
  private long sinceMicros;
  private String type = "";
  private String lifeCycle = "";
  private String shippedFiles = "";
  private long firstSeenMicros = Long.MAX_VALUE;
  private long heardMicros;
  private long tasks;
  private long busyMicros;
  private long stagingMicros;
  private long offsetMicros;
  private OptionalLong left = OptionalLong.empty();

  WorkerTally(String id) {
    this.id = id;
  }

  void accept(ResultBatch batch, BundleTimes times, int fresh, long offset) {
    slots = Math.max(slots, batch.worker().slots());
    sinceMicros = batch.worker().sinceMicros();
    machine(batch.worker());
    seen(times);
    tasks += fresh;
    offsetMicros = offset;
    for (ResultBatch.Calls now : batch.calls()) {
      // Counts only grow; messages may overtake each other.
      calls.merge(now.operation(), now, (a, b) -> a.calls() >= b.calls() ? a : b);
    }
  }

  /** Takes into account a task that was written before the run was resumed. */
  void restore(StageStamps stamps) {
    seen(stamps.bundle());
    tasks++;
  }

  private void seen(BundleTimes times) {
    firstSeenMicros = Math.min(firstSeenMicros, times.received());
    heardMicros = Math.max(heardMicros, times.collected());
  }

  /**
   * Adds a task, or ranks of an HPC job that ran at the same time.
   *
   * @param ranks the number of ranks; 1 for a task
   */
  void ran(int ranks, long micros) {
    busyMicros += ranks * Math.max(0, micros);
  }

  /** Adds a time in which one of its slots made files ready. */
  void staged(long micros) {
    stagingMicros += micros;
  }

  /**
   * Records that it ran ranks for another worker, the job's manager; it has at least that many
   * slots.
   */
  void joined(int ranks, BundleTimes times) {
    seen(times);
    slots = Math.max(slots, ranks);
  }

  /** Records that it is alive, with its slots and its machine. */
  void lives(ResultBatch.WorkerId worker) {
    slots = Math.max(slots, worker.slots());
    machine(worker);
  }

  private void machine(ResultBatch.WorkerId worker) {
    if (!worker.shippedFiles().isEmpty()) {
      shippedFiles = worker.shippedFiles();
    }
    if (!worker.type().isEmpty()) {
      type = worker.type();
      lifeCycle = worker.lifeCycle();
    }
  }

  boolean knowsSlots() {
    return slots > 0;
  }

  /** Records that it ended at an unknown time; it counts until its last message. */
  void isGone() {
    left = OptionalLong.of(heardMicros);
  }

  Iterable<ResultBatch.Calls> calls() {
    return calls.values();
  }

  double busySeconds() {
    return busyMicros / 1e6;
  }

  double stagingSeconds() {
    return stagingMicros / 1e6;
  }

  /** The seconds that it lived within the run from {@code start} to {@code end}, client's clock. */
  double lifeSeconds(long start, long end) {
    // A worker that does not report its start counts from its first bundle.
    long born = sinceMicros > 0 ? sinceMicros - offsetMicros : firstSeenMicros;
    return Math.max(0, Math.min(end, left.orElse(end)) - Math.max(start, born)) / 1e6;
  }

  double slotSeconds(long start, long end) {
    return slots * lifeSeconds(start, end);
  }

  RunReport.Worker report(long start, long end) {
    double life = lifeSeconds(start, end);
    return new RunReport.Worker(
        id,
        slots,
        tasks,
        busySeconds(),
        life,
        offsetMicros / 1e3,
        type,
        lifeCycle,
        shippedFiles,
        InstanceCosts.usd(type, life));
  }
}
