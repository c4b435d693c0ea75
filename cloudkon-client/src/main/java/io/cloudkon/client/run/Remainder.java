package io.cloudkon.client.run;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.port.RemainingWork;
import java.util.SortedMap;

/**
 * Works out what is left of a run, for its entry: a provisioner sizes the fleet by it. Stateless.
 */
public final class Remainder {
  private Remainder() {}

  /** Of a run of which nothing was sent: what its lines say. */
  public static RemainingWork atFirst(Workload workload) {
    return of(workload, 0, new SentJobs(), 0);
  }

  /**
   * Of a run on its way.
   *
   * @param bundles bundles of tasks that lack results
   * @param jobs its HPC jobs that were sent
   * @param measured how long a task kept a slot on average, in microseconds; 0 if none did yet
   */
  static RemainingWork of(Workload workload, long bundles, SentJobs jobs, double measured) {
    SortedMap<Integer, Integer> left =
        workload.summary().map(all -> jobs.leftOf(all.jobsByRanks())).orElseGet(jobs::left);
    double said = workload.summary().map(WorkloadSummary::taskMicros).orElse(0.0);
    return new RemainingWork(
        bundles,
        measured > 0 ? measured : said,
        left.values().stream().mapToLong(Integer::longValue).sum(),
        left.isEmpty() ? 0 : left.lastKey(),
        workload.kinds());
  }
}
