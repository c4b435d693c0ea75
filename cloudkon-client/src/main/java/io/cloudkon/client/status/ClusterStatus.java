package io.cloudkon.client.status;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Comparator;
import java.util.List;

/**
 * A cluster at one moment.
 *
 * @param cluster its name
 * @param queue messages in the request queue: bundles
 * @param dead messages in the dead-letter queue
 * @param workers those that wrote their entry lately
 * @param silentWorkers how many workers died in the last 2 min, as their entries say
 * @param runs not yet expired, the latest first
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
    HpcStatus hpc,
    ProvisionerStatus provisioner,
    long atMillis) {

  /** Reads it. */
  public static ClusterStatus read(Cluster cluster, long nowMillis) {
    List<WorkerEntry> entries = cluster.workers().list();
    List<WorkerEntry> live =
        entries.stream()
            .filter(worker -> worker.livesAt(nowMillis))
            .sorted(Comparator.comparing(WorkerEntry::id))
            .toList();
    List<RunEntry> runs =
        cluster.runs().list().stream()
            .sorted(Comparator.comparingLong(RunEntry::createdMillis).reversed())
            .toList();
    return new ClusterStatus(
        cluster.name(),
        cluster.requests().depth(),
        cluster.dead().depth(),
        live,
        (int) entries.stream().filter(worker -> worker.diedLatelyAt(nowMillis)).count(),
        runs,
        HpcStatus.read(cluster.hpc()),
        ProvisionerStatus.read(cluster.decisions(), nowMillis),
        nowMillis);
  }

  /** Slots of the live workers. */
  public int slots() {
    return workers.stream().mapToInt(WorkerEntry::slots).sum();
  }

  /** How many of them run something. */
  public int busy() {
    return workers.stream().mapToInt(WorkerEntry::busy).sum();
  }
}
