package io.cloudkon.client.report;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.model.ResultBatch.WorkerId;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.SlotTimes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * Aggregates a run's results for its report. Thread safe; the lock is taken once per message of
 * results, not per task, and memory grows by a bit per bundle, not with the tasks' results. Latency
 * is from submitted to collected.
 */
public final class RunStatistics {
  private final long joinedMicros;
  private long startedMicros;
  private boolean resumed;
  private final ToDoubleFunction<List<Calls>> price;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong earlier = new AtomicLong();
  private final AtomicLong notSucceeded = new AtomicLong();

  private final ResultTally tally = new ResultTally();
  private final StageTimes times = new StageTimes();
  private final TaskSpan span = new TaskSpan();
  private final WorkerTallies workers = new WorkerTallies();
  private final MovedTasks moved = new MovedTasks();
  private long duplicates;
  private final SlotTimeMeans slotTimes = new SlotTimeMeans();

  /**
   * Statistics of no results yet.
   *
   * @param startedMicros when the run started; client's clock, epoch microseconds
   * @param price the cost of calls in US dollars; must be additive
   */
  public RunStatistics(long startedMicros, ToDoubleFunction<List<Calls>> price) {
    this.joinedMicros = startedMicros;
    this.startedMicros = startedMicros;
    this.price = price;
  }

  /**
   * Takes a worker's message into account.
   *
   * @param batch the message, which names its sender and the sender's calls
   * @param stamps the message's stamps
   * @param fresh the results in it that are final for their task: without duplicates, and without a
   *     provisional {@code LOST}; may be empty
   * @param clockOffsetMicros the worker's clock minus the client's
   */
  public void accept(
      ResultBatch batch, BundleTimes stamps, List<TaskResult> fresh, long clockOffsetMicros) {
    synchronized (this) {
      int ran = 0;
      WorkerTally worker = workers.of(batch.worker().id());
      worker.accept(batch, stamps, fresh.size(), clockOffsetMicros);
      for (TaskResult result : fresh) {
        if (result.status() != TaskStatus.LOST && result.status() != TaskStatus.CANCELLED) {
          ran++;
          StageStamps own = StageStamps.of(stamps, result, clockOffsetMicros);
          times.acceptOwn(own);
          if (resumed && own.finished() < joinedMicros) {
            earlier.incrementAndGet();
          }
          ran(worker, result.ranks(), result.finishedMicros() - result.startedMicros(), own);
        }
      }
      if (ran > 0) {
        times.acceptShared(stamps, ran);
      }
      moved.accept(batch, ran);
      count(fresh);
    }
  }

  private void ran(WorkerTally by, List<RankResult> ranks, long micros, StageStamps stamps) {
    span.accept(stamps);
    slotTimes.ran(ranks.size(), micros);
    workers.ran(by, ranks, micros, stamps);
  }

  /**
   * Takes into account results that the client determines itself: lost, cancelled, or failed with
   * their whole bundle.
   */
  public synchronized void acceptWithoutWorker(List<TaskResult> results) {
    count(results);
  }

  /**
   * Takes into account a bundle that another client made, after the results that were written
   * before the run was resumed.
   */
  public synchronized void restore(JournalEntry.BundleRange bundle) {
    startedMicros = Math.min(startedMicros, bundle.submittedMicros());
    resumed = true;
    moved.restore(bundle);
  }

  /** Takes into account a result that was written before the run was resumed. */
  public synchronized void restore(ResultRecord result) {
    tally.add(result);
    if (result.status() != TaskStatus.SUCCEEDED) {
      notSucceeded.incrementAndGet();
    }
    if (result.ran()) {
      BundleTimes shared = result.times();
      StageStamps stamps =
          new StageStamps(
              shared,
              result.at(Stamp.STAGE_BEGUN),
              result.at(Stamp.STARTED),
              result.at(Stamp.FINISHED));
      times.acceptShared(shared, 1);
      times.acceptOwn(stamps);
      WorkerTally worker = workers.of(result.worker());
      worker.restore(stamps);
      ran(worker, result.ranks(), stamps.finished() - stamps.started(), stamps);
      moved.restore(result);
    }
    earlier.incrementAndGet();
    done.incrementAndGet();
  }

  /** Counts results that were dropped because their task had a final result. */
  public synchronized void dropDuplicates(int results) {
    duplicates += results;
  }

  /**
   * Sets which workers are alive at the end; any other worker counts until its last message.
   *
   * @param live the live workers' own descriptions, by id
   */
  public synchronized void onlyLive(Map<String, WorkerId> live) {
    workers.onlyLive(live);
  }

  /** The number of final results so far. Takes no lock, for the progress display. */
  public long done() {
    return done.get();
  }

  /**
   * How many of them are of tasks that had finished before this client resumed the run; 0 of a new
   * run.
   */
  public long earlier() {
    return earlier.get();
  }

  /** The number of final results so far that did not succeed. */
  public long notSucceeded() {
    return notSucceeded.get();
  }

  /** The average slot times of the tasks and jobs that have run. */
  public synchronized SlotTimes slotTimes() {
    return slotTimes.times();
  }

  /** The number of final results with a status so far. */
  public synchronized long count(TaskStatus status) {
    return tally.of(status);
  }

  /** The number of results that this client received of commands that the shell did not find. */
  public synchronized long notFound() {
    return tally.notFound();
  }

  /** The number of workers that have sent results or run ranks of HPC jobs. */
  public synchronized int workersHeard() {
    return workers.all().size();
  }

  /** A few that failed, timed out or were lost, different ones if there are any. */
  public synchronized List<TaskFailure> failures() {
    return tally.failures();
  }

  private void count(List<TaskResult> results) {
    int bad = 0;
    for (TaskResult result : results) {
      tally.add(result);
      bad += result.status() == TaskStatus.SUCCEEDED ? 0 : 1;
    }
    notSucceeded.addAndGet(bad);
    done.addAndGet(results.size());
  }

  /**
   * The current report. A run that was resumed ends with the last finish of a task, because its
   * results may have waited for days.
   *
   * @param clientCalls the calls that this client made
   * @param arrivedMicros when the last result arrived; client's clock, epoch microseconds
   */
  public synchronized RunReport report(
      RunFacts facts, Iterable<Calls> clientCalls, long arrivedMicros) {
    long finished = done.get();
    long endedMicros =
        resumed ? Math.min(arrivedMicros, span.lastFinish().orElse(arrivedMicros)) : arrivedMicros;
    double makespan = Math.max(1, endedMicros - startedMicros) / 1e6;
    CallSums calls = new CallSums().add(clientCalls);
    double busy = 0;
    double staging = 0;
    double slotSeconds = 0;
    for (WorkerTally worker : workers.all()) {
      calls.add(worker.calls());
      // If a worker was heard from only before a resume, its number of slots is unknown.
      busy += worker.knowsSlots() ? worker.busySeconds() : 0;
      staging += worker.knowsSlots() ? worker.stagingSeconds() : 0;
      slotSeconds += worker.slotSeconds(startedMicros, endedMicros);
    }
    List<RunReport.Worker> parts =
        workers.all().stream().map(w -> w.report(startedMicros, endedMicros)).toList();
    return new RunReport(
        facts.run(),
        facts.tasks(),
        count(TaskStatus.SUCCEEDED),
        count(TaskStatus.FAILED),
        count(TaskStatus.TIMED_OUT),
        count(TaskStatus.LOST),
        count(TaskStatus.CANCELLED),
        Math.max(0, facts.tasks() - finished),
        duplicates,
        moved.tasks(),
        moved.bundles(),
        tally.retried(),
        makespan,
        (finished - count(TaskStatus.CANCELLED)) / makespan,
        resumed ? null : span.secondsToFirstSubmit(startedMicros),
        resumed ? null : span.secondsToFirstStart(facts.begunMicros()),
        span.secondsFromLastFinish(facts.reportedMicros()),
        slotSeconds > 0 ? busy / slotSeconds : 0,
        facts.nominalMicros().isPresent() && slotSeconds > 0 && allEndedBySelf(facts.tasks())
            ? (Double) (facts.nominalMicros().getAsLong() / 1e6 / slotSeconds)
            : null,
        slotSeconds > 0 ? staging / slotSeconds : 0,
        times.latencyMillis(),
        times.stageMillis(),
        workers.gangs().gangs(),
        tally.files().isNone() ? null : tally.files(),
        tally.outputsCut(),
        facts.refused().orElse(null),
        calls.counts(),
        calls.costs(price),
        calls.cost(price),
        InstanceCosts.sum(parts),
        parts,
        facts.clientVersion(),
        facts.cluster(),
        facts.consistency().label(),
        instant(startedMicros),
        instant(endedMicros),
        new RunReport.Workload(facts.workload(), facts.workloadDigest()));
  }

  /**
   * Whether all tasks ended by themselves; one that was cancelled, lost or stopped did not take the
   * time that it asked for.
   */
  private boolean allEndedBySelf(long tasks) {
    return count(TaskStatus.SUCCEEDED) + count(TaskStatus.FAILED) == tasks;
  }

  private static Instant instant(long epochMicros) {
    return Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS);
  }
}
