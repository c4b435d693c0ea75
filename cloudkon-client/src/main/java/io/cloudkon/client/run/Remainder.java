package io.cloudkon.client.run;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.SlotTimes;
import java.util.SortedMap;

/**
 * Computes the remaining work of a run for its entry, by which a provisioner sizes the fleet.
 * Stateless.
 */
public final class Remainder {
  private Remainder() {}

  /** The remaining work of a run of which nothing was sent, according to its lines. */
  public static RemainingWork atFirst(Workload workload) {
    return of(workload, 0, new SentJobs(), SlotTimes.UNKNOWN);
  }

  /**
   * The remaining work of a run in progress.
   *
   * @param bundles the number of bundles of tasks that lack results
   * @param jobs its HPC jobs that were sent
   * @param measured the average slot times of what has run
   */
  static RemainingWork of(Workload workload, long bundles, SentJobs jobs, SlotTimes measured) {
    SortedMap<Integer, Integer> left =
        workload.summary().map(all -> jobs.leftOf(all.jobsByRanks())).orElseGet(jobs::left);
    SlotTimes said = workload.summary().map(WorkloadSummary::slotTimes).orElse(SlotTimes.UNKNOWN);
    return new RemainingWork(
        bundles,
        measured.or(said),
        left.values().stream().mapToLong(Integer::longValue).sum(),
        left.isEmpty() ? 0 : left.lastKey(),
        workload.kinds());
  }
}
