package io.cloudkon.client.status;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a cluster at one moment.
 *
 * @param cluster its name
 * @param queue messages in the request queue: bundles
 * @param dead messages in the dead-letter queue
 * @param workers the workers that wrote their entry recently
 * @param silentWorkers the number of workers that died in the last 2 min, according to their
 *     entries
 * @param progress the progress of each run, by its id
 * @param runs the runs that have not expired, the latest first
 * @param hpc its HPC jobs
 * @param provisioner its provisioner
 * @param atMillis when this was read; service clock, epoch milliseconds
 */
public record ClusterStatus(
    String cluster,
    QueueDepth queue,
    QueueDepth dead,
    List<WorkerEntry> workers,
    int silentWorkers,
    List<RunEntry> runs,
    Map<String, RunProgress> progress,
    HpcStatus hpc,
    ProvisionerStatus provisioner,
    long atMillis) {

  /** Reads a cluster's status. */
  public static ClusterStatus read(Cluster cluster, long nowMillis) {
    // Before the workers: a worker leaves a count out of its entry before it adds it to the run's,
    // so in this order a count may be missing for a moment, and is never seen twice.
    List<RunEntry> runs =
        cluster.runs().list().stream()
            .sorted(Comparator.comparingLong(RunEntry::createdMillis).reversed())
            .toList();
    List<WorkerEntry> entries = cluster.workers().list();
    List<WorkerEntry> live =
        entries.stream()
            .filter(worker -> worker.livesAt(nowMillis))
            .sorted(Comparator.comparing(WorkerEntry::id))
            .toList();
    return new ClusterStatus(
        cluster.name(),
        cluster.requests().depth(),
        cluster.dead().depth(),
        live,
        (int) entries.stream().filter(worker -> worker.diedLatelyAt(nowMillis)).count(),
        runs,
        progress(runs, entries, nowMillis),
        HpcStatus.read(cluster.hpc()),
        ProvisionerStatus.read(cluster.decisions(), nowMillis),
        nowMillis);
  }

  private static Map<String, RunProgress> progress(
      List<RunEntry> runs, List<WorkerEntry> workers, long nowMillis) {
    Map<String, RunProgress> progress = new HashMap<>();
    runs.forEach(run -> progress.put(run.run(), RunProgress.of(run, workers, nowMillis)));
    return progress;
  }

  /** The progress of a run of this cluster. */
  public RunProgress progress(RunEntry run) {
    RunProgress known = progress.get(run.run());
    return known == null ? RunProgress.of(run, workers, atMillis) : known;
  }

  /** Whether bundles wait, and, as far as is known, only those of cancelled runs. */
  boolean onlyCancelledWaits() {
    return queue.waiting() + queue.delayed() > 0
        && runs.stream().noneMatch(run -> run.state() == RunEntry.State.OPEN)
        && runs.stream().anyMatch(run -> run.state() == RunEntry.State.CANCELLED);
  }

  /** The number of slots of the live workers. */
  public int slots() {
    return workers.stream().mapToInt(WorkerEntry::slots).sum();
  }

  /** The number of those slots that are busy. */
  public int busy() {
    return workers.stream().mapToInt(WorkerEntry::busy).sum();
  }
}
