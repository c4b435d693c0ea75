package io.cloudkon.client.cli;

import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.client.status.ProvisionerText;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Prints a hint when no results arrive for a while and no worker is live, or none takes the HPC
 * jobs that wait. The hint says how to start a worker or, if a provisioner is active, what the
 * provisioner does about it. A changed hint is printed again.
 */
final class WorkerHint implements AutoCloseable {
  private static final Duration AFTER = Duration.ofSeconds(3);
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final Workload workload;
  private final LongSupplier done;
  private final IntSupplier jobs;
  private final BooleanSupplier idle;
  private final TimeSource time;
  private final Consumer<String> say;
  private final Watch watch = new Watch("cloudkon-hint", AFTER, this::lookAgain);
  private volatile Optional<String> said = Optional.empty();
  private long before;

  /**
   * Starts watching.
   *
   * @param done the number of results so far
   * @param jobs the number of HPC jobs that were sent and have no result
   * @param idle whether nothing waits for a worker, or the client leaves
   * @param say receives the hint
   */
  static WorkerHint start(
      Cluster cluster,
      Workload workload,
      LongSupplier done,
      IntSupplier jobs,
      BooleanSupplier idle,
      TimeSource time,
      Consumer<String> say) {
    WorkerHint hint = new WorkerHint(cluster, workload, done, jobs, idle, time, say);
    hint.watch.start();
    return hint;
  }

  WorkerHint(
      Cluster cluster,
      Workload workload,
      LongSupplier done,
      IntSupplier jobs,
      BooleanSupplier idle,
      TimeSource time,
      Consumer<String> say) {
    this.cluster = cluster;
    this.workload = workload;
    this.done = done;
    this.jobs = jobs;
    this.idle = idle;
    this.time = time;
    this.say = say;
  }

  /** Whether the last look found no worker, and the hint was printed. */
  boolean told() {
    return said.isPresent();
  }

  /** Prints the hint of a client that leaves now, with so many open HPC jobs. */
  static void say(Cluster cluster, Workload workload, int jobs, long now, Consumer<String> say) {
    try {
      look(cluster, workload, jobs, now).ifPresent(hint -> say.accept(hint.line()));
    } catch (CloudKonException e) {
      // The state of the workers is unknown, so there is no hint.
      return;
    }
  }

  private Optional<Duration> lookAgain() {
    try {
      look();
      return Optional.of(AGAIN);
    } catch (CloudKonException e) {
      // The state of the workers is unknown, so there is no hint.
      return Optional.empty();
    }
  }

  /**
   * Checks the workers, unless results have arrived since the last check, and prints a new hint.
   */
  void look() {
    long now = done.getAsLong();
    boolean quiet = now == before && !idle.getAsBoolean();
    before = now;
    if (!quiet) {
      said = Optional.empty();
      return;
    }
    try {
      Optional<Hint> hint = look(cluster, workload, jobs.getAsInt(), time.serviceMillis());
      hint.filter(news -> !said.equals(Optional.of(news.what())))
          .ifPresent(news -> say.accept(news.line()));
      said = hint.map(Hint::what);
    } catch (TransientServiceException e) {
      // The next check tries again.
      return;
    }
  }

  /**
   * A hint to print.
   *
   * @param what identifies the hint; does not change with time
   */
  record Hint(String line, String what) {}

  /**
   * The hint; empty if the live workers take what waits. Makes one call, and a second one if there
   * is a hint.
   *
   * @param jobs the number of open HPC jobs
   */
  static Optional<Hint> look(Cluster cluster, Workload workload, int jobs, long now) {
    List<WorkerEntry> live =
        cluster.workers().list().stream().filter(worker -> worker.livesAt(now)).toList();
    if (live.isEmpty()) {
      boolean onlyJobs = workload.summary().filter(all -> all.jobs() == all.tasks()).isPresent();
      return Optional.of(noWorker(cluster, workload.kinds(), onlyJobs, now));
    }
    return jobs > 0 && live.stream().noneMatch(worker -> worker.takes().jobs())
        ? Optional.of(noneForJobs(cluster, workload.kinds(), now))
        : Optional.empty();
  }

  private static Hint noneForJobs(Cluster cluster, Set<Work.Kind> kinds, long now) {
    ProvisionerStatus provisioner = ProvisionerStatus.read(cluster.decisions(), now);
    if (provisioner.live().isEmpty()) {
      String start = ProvisionerText.startForJobs(cluster.name());
      return new Hint(start, start);
    }
    String help = ProvisionerText.help(provisioner, cluster.name(), kinds, true);
    return new Hint("No live worker takes HPC jobs; " + help, what(provisioner, help));
  }

  /**
   * The hint if no worker is live. Makes one call.
   *
   * @param kinds the kinds of the tasks that are waiting
   * @param jobs whether all of them are HPC jobs
   */
  static Hint noWorker(Cluster cluster, Set<Work.Kind> kinds, boolean jobs, long now) {
    ProvisionerStatus provisioner = ProvisionerStatus.read(cluster.decisions(), now);
    if (provisioner.live().isEmpty()) {
      String start =
          "no worker is alive; the tasks are waiting. Start one with: %s worker -s %s"
              .formatted(Launcher.name(), cluster.name());
      return new Hint(start, start);
    }
    String help = ProvisionerText.help(provisioner, cluster.name(), kinds, jobs);
    return new Hint("no worker is alive; the tasks are waiting: " + help, what(provisioner, help));
  }

  /** The identity of a provisioner's help, without how long workers have been booting. */
  private static String what(ProvisionerStatus provisioner, String help) {
    return provisioner.live().orElseThrow().fleet().booting() > 0 ? "they boot" : help;
  }

  @Override
  public void close() throws InterruptedException {
    watch.close();
  }
}
