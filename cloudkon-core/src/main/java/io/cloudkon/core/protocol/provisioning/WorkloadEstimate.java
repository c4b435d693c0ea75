package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.SlotTimes;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
    private final WorkObstacles obstacles;
    private long taskCount;
    private long jobCount;
    private double slotMillis;
    private boolean timed;
    private boolean spare;

    Look(FleetObservation seen, List<WorkerEntry> working, int reachable) {
      this.seen = seen;
      this.working = working;
      this.obstacles = new WorkObstacles(takes, working);
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
          obstacles.clauses());
    }

    private void collected(RunEntry run) {
      Set<Work.Kind> kinds = run.remaining().kinds();
      long runJobs = Math.min(run.remaining().jobs(), run.unfinished());
      long runTasks = run.unfinished() - runJobs;
      SlotTimes times = run.remaining().times();
      double taskMillis = times.taskMicros() / 1_000;
      if (runTasks > 0 && obstacles.mayRun(run, false)) {
        taskCount += runTasks;
        taskKinds.add(kinds);
        work(runTasks, taskMillis > 0 ? taskMillis : reported);
      }
      if (runJobs > 0 && obstacles.mayRun(run, true)) {
        jobCount += runJobs;
        jobKinds.add(kinds);
        widths.add(Math.max(1, run.remaining().widestJob()));
        // A job that will be refused is not work.
        long possible = run.remaining().widestJob() > reachable ? 0 : runJobs;
        work(possible, times.jobMicros() / 1_000);
      }
    }

    private void work(double count, double millis) {
      slotMillis += count * millis;
      timed |= count > 0 && millis > 0;
    }

    /** Adds messages for which no collected run accounts. */
    private void leftTasks() {
      long excess = takeable(requests.excess(), false);
      if (excess == 0 || !takes.tasks()) {
        if (excess > 0) {
          obstacles.add("messages wait, and launched workers take no tasks (--worker-roles)");
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
     * The messages of a queue beyond those of cancelled runs, which the next worker drops, and of
     * uncollected runs that no launched worker may run. The count of such a run does not change and
     * may be too high by now; it must not hide the messages of a run that can be run.
     */
    private long takeable(long excess, boolean job) {
      ToLongFunction<RunEntry> count = job ? Look::jobs : Look::bundles;
      List<RunEntry> having = left.stream().filter(run -> count.applyAsLong(run) > 0).toList();
      long rest =
          excess - sum(having.stream().filter(run -> !obstacles.mayRun(run, job)).toList(), count);
      boolean some = excess > 0 && having.stream().anyMatch(run -> obstacles.launchable(run, job));
      return some ? Math.max(1, rest) : Math.max(0, rest - sum(cancelled(), count));
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

    /**
     * Adds HPC jobs for which no collected run accounts. The widest job of such a run may be done
     * for long, and one that lacks slots is {@link #waitingJobs known}; the width of the run says
     * something only as long as no live worker can have received its jobs.
     */
    private void leftJobs() {
      if (jobs.excess() == 0) {
        return;
      }
      if (!takes.jobs()) {
        boolean some = left.stream().anyMatch(run -> run.remaining().jobs() > 0);
        if (jobs.excess() > (some ? 0 : sum(cancelled(), Look::jobs))) {
          obstacles.add("HPC jobs wait, and launched workers take none (--worker-roles)");
        }
        return;
      }
      long excess = takeable(jobs.excess(), true);
      if (excess == 0) {
        return;
      }
      jobCount += excess;
      jobKinds.add(Set.of());
      left.stream()
          .filter(run -> run.remaining().jobs() > 0 && obstacles.launchable(run, true))
          .map(run -> obstacles.served(run, true) ? 1 : Math.max(1, run.remaining().widestJob()))
          .forEach(widths::add);
    }

    private void waitingJobs() {
      if (!takes.jobs()) {
        return;
      }
      Map<String, RunEntry> runs = new HashMap<>();
      seen.runs().forEach(run -> runs.put(run.run(), run));
      long count = 0;
      for (Waiting job : seen.waiting()) {
        RunEntry run = runs.get(BundleIds.run(job.job()));
        if (job.leaseEnd() > seen.atMillis() && (run == null || obstacles.mayRunOne(run))) {
          count++;
          jobKinds.add(run == null ? Set.of() : obstacles.possibleKinds(run));
          widths.add(job.ranks());
        }
      }
      jobCount = Math.max(jobCount, count); // a run or the queue also counts them
    }

    private static long bundles(RunEntry run) {
      return run.remaining().bundles();
    }

    private static long jobs(RunEntry run) {
      return run.remaining().jobs();
    }
  }

  private static long sum(List<RunEntry> runs, ToLongFunction<RunEntry> of) {
    return runs.stream().mapToLong(of).sum();
  }

  private static Map<String, Long> by(List<RunEntry> runs, ToLongFunction<RunEntry> of) {
    return runs.stream().collect(Collectors.toMap(RunEntry::run, of::applyAsLong, Long::sum));
  }
}
