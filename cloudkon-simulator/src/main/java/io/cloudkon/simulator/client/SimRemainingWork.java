package io.cloudkon.simulator.client;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.SlotTimes;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.World;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Computes the remaining work of a run from the client's journal, for the run's entry. Computed
 * only where a fleet grows with its queue, because it looks at every bundle.
 */
final class SimRemainingWork {
  private final World world;
  private final SimRun run;
  private final SimJournal journal;
  private final int tasks;
  private final TreeMap<Integer, Integer> ranksOfJobs = new TreeMap<>();
  private final Set<Work.Kind> kinds = new HashSet<>();
  private SlotTimes said = SlotTimes.UNKNOWN;
  private boolean looked;

  SimRemainingWork(World world, SimRun run, SimJournal journal) {
    this.world = world;
    this.run = run;
    this.journal = journal;
    this.tasks = run.tasks().size();
  }

  private void look(Tasks all) {
    looked = true;
    double sum = 0;
    double sumOfJobs = 0;
    boolean known = true;
    for (int i = 0; i < tasks; i++) {
      Work work = all.task(i).work();
      int ranks = 0;
      if (work instanceof Work.Hpc job) {
        ranks = job.ranks();
        ranksOfJobs.put(i, ranks);
        work = job.each();
      }
      kinds.add(work.kind());
      if (work instanceof Work.Sleep sleep) {
        sum += ranks == 0 ? sleep.millis() * 1000.0 : 0;
        sumOfJobs += ranks * sleep.millis() * 1000.0;
      } else {
        known = false;
      }
    }
    int jobs = ranksOfJobs.size();
    said =
        known
            ? new SlotTimes(sum / Math.max(1, tasks - jobs), sumOfJobs / Math.max(1, jobs))
            : SlotTimes.UNKNOWN;
  }

  /** The entry with the remaining work. */
  RunEntry of(RunEntry entry) {
    if (world.cloud().scalingIfAny() == null) {
      return entry;
    }
    if (!looked) {
      look(run.tasks());
    }
    long done = journal.results().cardinality();
    return new RunEntry(
        entry.run(),
        entry.epoch(),
        entry.state(),
        entry.consistency(),
        entry.responseQueue(),
        entry.holder(),
        entry.host(),
        entry.leaseEnd(),
        entry.digest(),
        tasks,
        journal.confirmedTasks(),
        done == 0 ? Map.of() : Map.of(TaskStatus.SUCCEEDED, done),
        remaining(),
        entry.createdMillis(),
        entry.updatedMillis());
  }

  private RemainingWork remaining() {
    BitSet results = journal.results();
    long bundles = 0;
    for (int i = 0; i < journal.bundles(); i++) {
      int first = journal.first(i);
      boolean job = ranksOfJobs.containsKey(first);
      boolean open = results.nextClearBit(first) < first + journal.count(i);
      bundles += open && !job && journal.isConfirmed(i) ? 1 : 0;
    }
    long jobs = 0;
    int widest = 0;
    for (Map.Entry<Integer, Integer> job : ranksOfJobs.entrySet()) {
      if (!results.get(job.getKey())) {
        jobs++;
        widest = Math.max(widest, job.getValue());
      }
    }
    return new RemainingWork(bundles, journal.slotTimes().or(said), jobs, widest, kinds);
  }
}
