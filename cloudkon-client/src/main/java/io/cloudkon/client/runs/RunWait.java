package io.cloudkon.client.runs;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a run is over, no matter which client collects it. Reads the entries of the run and
 * of the workers every {@value #EVERY_MILLIS} ms; changes and collects nothing. Used by one thread.
 */
public final class RunWait {
  /** The interval at which workers write their entries. */
  private static final long EVERY_MILLIS = 5_000;

  /**
   * The time for which nothing must be left to do. It is needed because a killed worker's counts
   * are partly lost, so that the counts may never cover the tasks. What such a worker held comes
   * back within a lease, and what SQS reports about a queue may be a minute old.
   */
  private static final long QUIET_MILLIS = 90_000;

  /**
   * The time for which counts that cover the tasks must stay unchanged, unless nothing is left to
   * do: they may count one task twice and miss another that is still running.
   */
  private static final long COVERED_MILLIS = 30_000;

  /** The number of successive looks after which refused credentials are considered permanent. */
  private static final int REFUSALS = 12;

  /** The reasons to stop waiting. */
  public enum Why {
    /** Every task has its result. */
    ENDED,
    /** A user cancelled it. */
    CANCELLED,
    /** Its workers report that they have finished everything; no client has collected it. */
    FINISHED,
    /** Nothing is left in the queue or in work; no client has collected it. */
    NOTHING_LEFT,
    /** Nothing is left of what was sent, and there is no client to send the rest. */
    UNSENT
  }

  /** A reason to stop waiting, and the run's state. */
  public record Over(Why why, RunEntry run, RunProgress progress) {}

  /**
   * The findings of one look.
   *
   * @param progress the run's progress
   * @param waits whether tasks of the run are waiting, as far as is known: some have no result, and
   *     there are messages in the queues
   * @param anyWorker whether a worker is alive
   */
  public record Look(RunEntry run, RunProgress progress, boolean waits, boolean anyWorker) {}

  private final Cluster cluster;
  private final String run;
  private final TimeSource time;
  private final Pause pause;
  private final Consumer<Look> looked;
  private long quietSince = -1;
  private long coveredSince = -1;
  private long coveredBy;
  private int refusals;

  /**
   * A wait that reads nothing before {@link #await}.
   *
   * @param looked receives what each look has found
   */
  public RunWait(Cluster cluster, String run, TimeSource time, Pause pause, Consumer<Look> looked) {
    this.cluster = cluster;
    this.run = run;
    this.time = time;
    this.pause = pause;
    this.looked = looked;
  }

  /**
   * Returns when the run is over. Retries if services do not answer.
   *
   * @throws UsageException if the cluster knows no such run
   */
  public Over await() throws InterruptedException {
    while (true) {
      try {
        Over over = look();
        refusals = 0;
        if (over != null) {
          return over;
        }
      } catch (TransientServiceException e) {
        quietSince = -1;
        coveredSince = -1;
        refusals = e.ofCredentials() ? refusals + 1 : 0;
        if (refusals == REFUSALS) {
          throw e;
        }
      }
      pause.millis(EVERY_MILLIS);
    }
  }

  private @Nullable Over look() {
    RunEntry entry =
        cluster
            .runs()
            .read(run)
            .orElseThrow(() ->
                new UsageException(
                    "run '%s' is not known in cluster %s; list its runs with: %s runs -s %s --all"
                        .formatted(run, cluster.name(), Launcher.name(), cluster.name())));
    List<WorkerEntry> workers = cluster.workers().list();
    long now = time.serviceMillis();
    RunProgress progress = RunProgress.of(entry, workers, now);
    RunStatus status = RunStatus.of(entry, now);
    boolean anyWorker = workers.stream().anyMatch(worker -> worker.livesAt(now));
    boolean open = status != RunStatus.ENDED && status != RunStatus.CANCELLED;
    boolean waits =
        open && progress.finished() < entry.sent() && (anyWorker || !isQuiet(workers, now));
    looked.accept(new Look(entry, progress, waits, anyWorker));
    return switch (status) {
      case ENDED -> new Over(Why.ENDED, entry, progress);
      case CANCELLED -> new Over(Why.CANCELLED, entry, progress);
      case COLLECTED -> null;
      case DETACHED, GONE -> uncollected(entry, progress, workers, now);
    };
  }

  private @Nullable Over uncollected(
      RunEntry entry, RunProgress progress, List<WorkerEntry> workers, long now) {
    boolean quiet = isQuiet(workers, now);
    quietSince = !quiet ? -1 : quietSince < 0 ? now : quietSince;
    boolean nothingLeft = quiet && now - quietSince >= QUIET_MILLIS;
    boolean unsent = entry.sent() == 0 || entry.sent() < entry.tasks();
    boolean covered = !unsent && progress.finished() >= entry.sent();
    long said = said(entry, workers);
    coveredSince = !covered ? -1 : coveredSince >= 0 && said == coveredBy ? coveredSince : now;
    coveredBy = said;
    if (covered && (quiet || now - coveredSince >= COVERED_MILLIS)) {
      return new Over(Why.FINISHED, entry, progress);
    }
    return nothingLeft ? new Over(unsent ? Why.UNSENT : Why.NOTHING_LEFT, entry, progress) : null;
  }

  /** The number of tasks that workers report for the run, including those counted twice. */
  private static long said(RunEntry entry, List<WorkerEntry> workers) {
    return entry.handedIn().tasks()
        + workers.stream()
            .mapToLong(
                worker -> worker.finished().getOrDefault(entry.run(), FinishedTasks.NONE).tasks())
            .sum();
  }

  private boolean isQuiet(List<WorkerEntry> workers, long now) {
    return workers.stream().noneMatch(worker -> worker.livesAt(now) && worker.busy() > 0)
        && isEmpty(cluster.requests().depth())
        && isEmpty(cluster.hpc().jobs().depth());
  }

  private static boolean isEmpty(QueueDepth depth) {
    return depth.waiting() + depth.inFlight() + depth.delayed() == 0;
  }
}
