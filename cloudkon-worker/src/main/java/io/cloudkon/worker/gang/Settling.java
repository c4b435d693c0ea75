package io.cloudkon.worker.gang;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the results of jobs whose ranks have ended, and reports to the inbox. Thread safe. */
final class Settling {
  private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
  private static final Positions THE_JOB = Positions.range(0, 1);

  private final MpiLaunches launches;
  private final WorkerStats stats;
  private final GangInbox inbox;
  private final TimeSource time;
  private final Executor io;

  /** The facts about a job's ranks. */
  private record Said(
      Map<Integer, RankEnd> ends, Map<Integer, String> workers, @Nullable MpiLaunch launch) {}

  Settling(MpiLaunches launches, WorkerStats stats, GangInbox inbox, TimeSource time, Executor io) {
    this.launches = launches;
    this.stats = stats;
    this.inbox = inbox;
    this.time = time;
    this.io = io;
  }

  /**
   * Reads the ends of the ranks at once, because the gang may soon run the next job or be gone, and
   * makes the result later. Returns at once.
   *
   * @param gang the gang that ran it; null if none did
   */
  void settle(GangEffect.Settle settle, BundleInHand job, @Nullable ManagedGang gang) {
    String id = job.header().bundle();
    Said said =
        gang == null
            ? new Said(Map.of(), Map.of(), null)
            : new Said(gang.ends(id), gang.workers(), launches.take(gang.id, id));
    io.execute(() -> settle(settle, job, said));
  }

  private void settle(GangEffect.Settle settle, BundleInHand job, Said said) {
    Task task = job.task(0);
    int tries = job.nextTry(0);
    TaskResult result;
    long bytes;
    try {
      result = result(settle, job, said, tries);
      bytes = ResultCodec.sizeOf(result);
    } catch (RuntimeException | Error e) {
      // Catches everything, because a job without a result would never end.
      LOG.error("could not create the result of job {}", job.header().bundle(), e);
      String why = "its manager could not make its result: " + e;
      result =
          TaskResult.notRun(task.ordinal(), task.id(), TaskStatus.FAILED, why, time.wallMicros());
      bytes = ResultCodec.sizeOf(result);
    }
    job.result(0, result);
    boolean last = result.status() == TaskStatus.SUCCEEDED || JobResults.anyStuck(said.ends());
    if (!last && tries <= task.retries()) {
      job.tryFailed(0);
    } else {
      boolean succeeded = result.status() == TaskStatus.SUCCEEDED;
      stats.finished(job.header().run(), 1, succeeded ? 0 : 1);
    }
    inbox.post(
        settle.job(), new BundleEvent.Finished(THE_JOB, bytes, last ? Positions.none() : THE_JOB));
  }

  private TaskResult result(GangEffect.Settle settle, BundleInHand job, Said said, int tries) {
    MpiLaunch launch = said.launch();
    return JobResults.of(
        job.task(0),
        settle.verdict(),
        said.ends(),
        launch == null ? null : launch.awaitEnd(),
        rank -> said.workers().getOrDefault(rank, ""),
        job.header().captureBytes(),
        tries,
        time.wallMicros());
  }
}
