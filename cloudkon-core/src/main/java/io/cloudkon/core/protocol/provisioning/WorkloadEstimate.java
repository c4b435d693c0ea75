package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Estimates the work of a cluster from its runs and the depth of its queues. Runs that a client
 * collects report their remaining work; a resumed run does so once it has collected the results
 * that waited for it. For all other runs only the depth is used. Not thread safe.
 */
final class WorkloadEstimate {
  /** How long messages of a cancelled run may be hidden before a worker drops them. */
  private static final long HIDDEN_MILLIS = 600_000;

  private final WorkerTakes takes;
  private final DepthMemory requests = new DepthMemory();
  private final DepthMemory jobs = new DepthMemory();
  private final UnfinishedTimes unfinished = new UnfinishedTimes();
  private final GangWorkers gangs = new GangWorkers();

  WorkloadEstimate(ProvisioningSettings settings) {
    this.takes = settings.takes();
  }

  /**
   * Makes an estimate for a reading.
   *
   * @param reachable the maximum number of slots that jobs can get
   */
  FleetWorkload look(FleetObservation seen, List<WorkerEntry> working, int reachable, Moment now) {
    unfinished.look(working, now);
    return new Look(seen, working, reachable).workload(gangs.look(working, now));
  }

  static long total(QueueDepth depth) {
    return depth.waiting() + depth.inFlight() + depth.delayed();
  }

  private final class Look {
    private final FleetObservation seen;
    private final List<WorkerEntry> working;
    private final int reachable;
    private final List<RunEntry> collected;
    private final List<RunEntry> left;
    private final double reported;
    private final List<Integer> widths = new ArrayList<>();
    private final Set<Set<Work.Kind>> taskKinds = new HashSet<>();
    private final Set<Set<Work.Kind>> jobKinds = new HashSet<>();
    private final List<String> blocked = new ArrayList<>();
    private long taskCount;
    private long jobCount;
    private double slotMillis;
    private boolean timed;
    private boolean spare;

    Look(FleetObservation seen, List<WorkerEntry> working, int reachable) {
      this.seen = seen;
      this.working = working;
      this.reachable = reachable;
      long at = seen.atMillis();
      collected = seen.runs().stream().filter(run -> run.countedAt(at)).toList();
      left =
          seen.runs().stream()
              .filter(run -> run.state() == RunEntry.State.OPEN && !run.countedAt(at))
              .toList();
      double throughput = MeanTaskTimes.reported(working, at);
      reported = throughput > 0 ? throughput : unfinished.atLeast();
      Set<String> gone =
          seen.runs().stream()
              .filter(run -> !run.countedAt(at))
              .map(RunEntry::run)
              .collect(Collectors.toSet());
      requests.add(at, total(seen.requests()), by(collected, Look::bundles), gone);
      jobs.add(at, total(seen.jobs()), by(collected, Look::jobs), gone);
    }

    FleetWorkload workload(Set<String> occupied) {
      collected.forEach(this::collected);
      leftTasks();
      leftJobs();
      waitingJobs();
      return new FleetWorkload(
          taskCount,
          slotMillis,
          timed,
          spare,
          jobCount,
          widths,
          taskKinds,
          jobKinds,
          total(seen.requests()) + total(seen.jobs()),
          occupied,
          blocked);
    }

    private void collected(RunEntry run) {
      Set<Work.Kind> kinds = run.remaining().kinds();
      long runJobs = Math.min(run.remaining().jobs(), run.unfinished());
      long runTasks = run.unfinished() - runJobs;
      double millis = run.remaining().taskMicros() / 1_000;
      if (runTasks > 0 && mayRun(run, kinds, false)) {
        taskCount += runTasks;
        taskKinds.add(kinds);
        work(runTasks, millis > 0 ? millis : reported);
      }
      if (runJobs > 0 && mayRun(run, kinds, true)) {
        jobCount += runJobs;
        jobKinds.add(kinds);
        widths.add(Math.max(1, run.remaining().widestJob()));
        // A job that will be refused is not work.
        work(run.remaining().widestJob() > reachable ? 0 : runJobs, millis);
      }
    }

    private void work(double count, double millis) {
      slotMillis += count * millis;
      timed |= count > 0 && millis > 0;
    }

    private boolean mayRun(RunEntry run, Set<Work.Kind> kinds, boolean job) {
      boolean launchable = serves(takes, kinds, job);
      if (!launchable && working.stream().noneMatch(one -> serves(one.takes(), kinds, job))) {
        blocked.add(obstacle(run, kinds, job));
      }
      return launchable;
    }

    private String obstacle(RunEntry run, Set<Work.Kind> kinds, boolean job) {
      boolean role = job ? takes.jobs() : takes.tasks();
      if (!role) {
        return "run %s has %s, and launched workers take none (--worker-roles)"
            .formatted(run.run(), job ? "HPC jobs" : "tasks");
      }
      return "run %s needs %s, and launched workers run %s only (--worker-allow)"
          .formatted(run.run(), names(kinds), names(takes.kinds()));
    }

    /** Adds messages for which no collected run accounts. */
    private void leftTasks() {
      long excess = takeable(requests.excess());
      if (excess == 0 || !takes.tasks()) {
        if (excess > 0) {
          blocked.add("messages wait, and launched workers take no tasks (--worker-roles)");
        }
        return;
      }
      long sure = sureExcess(excess);
      if (sure == 0 && taskCount > 0) {
        return; // what clients have sent since they wrote their runs, which count it already
      }
      taskKinds.add(Set.of());
      double own = MeanTaskTimes.perBundle(left);
      double others = MeanTaskTimes.perBundle(collected);
      double perBundle = own > 0 ? own : others > 0 ? others : 1;
      taskCount += Math.max(1, Math.round(sure * perBundle));
      spare = MeanTaskTimes.idle(working, seen.atMillis());
      double mean = MeanTaskTimes.mean(left);
      double messages = spare || !trusted() ? 0 : Math.max(0, sure - dropped());
      work(messages * perBundle, mean > 0 ? mean : reported);
    }

    /**
     * The certain part of the excess, because clients that send make the depth larger than their
     * runs report.
     */
    private long sureExcess(long excess) {
      return collected.isEmpty() ? excess : Math.min(excess, requests.lastingExcess());
    }

    /** Whether the depth cannot include messages that a collected run has already finished. */
    private boolean trusted() {
      return collected.isEmpty() || requests.full();
    }

    /**
     * The messages beyond those of cancelled runs, which the next worker drops, and of uncollected
     * runs that no worker may run. The count of such a run does not change and may be too high by
     * now; it must not hide the messages of a run that can be run.
     */
    private long takeable(long excess) {
      boolean some =
          excess > 0
              && left.stream().anyMatch(run -> run.remaining().bundles() > 0 && launchable(run));
      return some
          ? Math.max(1, excess - untakeable())
          : Math.max(0, excess - untakeable() - sum(cancelled(), Look::bundles));
    }

    private boolean launchable(RunEntry run) {
      return serves(takes, run.remaining().kinds(), false);
    }

    /** The bundles of uncollected runs that no worker may run, which stay in the queue. */
    private long untakeable() {
      return sum(
          left.stream().filter(run -> run.remaining().bundles() > 0 && !mayRunAny(run)).toList(),
          Look::bundles);
    }

    private boolean mayRunAny(RunEntry run) {
      return mayRun(run, run.remaining().kinds(), false);
    }

    /** The bundles of cancelled runs, which a worker receives and drops at once. */
    private long dropped() {
      return sum(
          cancelled().stream()
              .filter(run -> seen.atMillis() - run.updatedMillis() < HIDDEN_MILLIS)
              .toList(),
          Look::bundles);
    }

    private List<RunEntry> cancelled() {
      return seen.runs().stream().filter(run -> run.state() == RunEntry.State.CANCELLED).toList();
    }

    private void leftJobs() {
      boolean some = left.stream().anyMatch(run -> run.remaining().jobs() > 0);
      long excess = jobs.excess() - (some ? 0 : sum(cancelled(), Look::jobs));
      if (excess <= 0) {
        return;
      }
      if (!takes.jobs()) {
        blocked.add("HPC jobs wait, and launched workers take none (--worker-roles)");
        return;
      }
      jobCount += excess;
      jobKinds.add(Set.of());
      left.stream()
          .filter(run -> run.remaining().jobs() > 0 && takes.runs(run.remaining().kinds()))
          .forEach(run -> widths.add(Math.max(1, run.remaining().widestJob())));
    }

    private void waitingJobs() {
      List<Waiting> waiting =
          seen.waiting().stream().filter(job -> job.leaseEnd() > seen.atMillis()).toList();
      if (takes.jobs() && !waiting.isEmpty()) {
        // A run or the queue also counts them.
        jobCount = Math.max(jobCount, waiting.size());
        jobKinds.add(Set.of());
        waiting.forEach(job -> widths.add(job.ranks()));
      }
    }

    private static long bundles(RunEntry run) {
      return run.remaining().bundles();
    }

    private static long jobs(RunEntry run) {
      return run.remaining().jobs();
    }
  }

  static boolean serves(WorkerTakes takes, Set<Work.Kind> kinds, boolean job) {
    return (job ? takes.jobs() : takes.tasks()) && takes.runs(kinds);
  }

  private static long sum(List<RunEntry> runs, ToLongFunction<RunEntry> of) {
    return runs.stream().mapToLong(of).sum();
  }

  private static Map<String, Long> by(List<RunEntry> runs, ToLongFunction<RunEntry> of) {
    return runs.stream().collect(Collectors.toMap(RunEntry::run, of::applyAsLong, Long::sum));
  }

  private static String names(Set<Work.Kind> kinds) {
    return kinds.stream()
        .sorted()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
