package io.cloudkon.provisioner.observe;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Set;

/**
 * Reads the state of the cluster on which a provisioner bases its decisions. Used by one thread at
 * a time.
 *
 * <p>A reading takes two requests to SQS (the depths of Q and Q-hpc) and one scan each of Q-runs
 * and Q-workers, which DynamoDB bills by size: half a read unit for each 4 KiB, which is about ten
 * runs or workers. Q-ledger is read only while there are HPC jobs. At the default interval of 5 s
 * these are 35,000 requests to SQS a day, 0.014 USD by list price, and about as many read units for
 * a small fleet.
 */
public final class ClusterObserver {
  private final Cluster cluster;
  private final TimeSource time;
  private final DepthReading requests;
  private final DepthReading jobs;

  /** An observer of this cluster. */
  public ClusterObserver(Cluster cluster, TimeSource time) {
    this.cluster = cluster;
    this.time = time;
    this.requests = new DepthReading(cluster.requests(), time);
    this.jobs = new DepthReading(cluster.hpc().jobs(), time);
  }

  /**
   * Reads the cluster once. If the depth of a queue cannot be read, its last value is used for a
   * minute, which is as old as SQS's own figures may be. After that the queue counts as empty, so
   * that nothing more is launched for it.
   *
   * @param open the decisions whose workers may still register
   * @param foreign the tokens of those that only the launcher of another machine can carry out
   * @param instances the instances that the launcher lists
   * @throws io.cloudkon.core.port.TransientServiceException if a table cannot be read
   */
  public FleetObservation look(
      List<Decision> open, Set<String> foreign, List<LaunchedInstance> instances) {
    List<RunEntry> runs = cluster.runs().notEnded();
    QueueDepth jobDepth = jobs.read();
    return new FleetObservation(
        time.serviceMillis(),
        runs,
        requests.read(),
        jobDepth,
        waiting(runs, jobDepth),
        cluster.workers().list(),
        open,
        foreign,
        instances);
  }

  /**
   * The waiting jobs. A job can wait only if a message of Q-hpc is in flight and its run has a job
   * without a result.
   */
  private List<Waiting> waiting(List<RunEntry> runs, QueueDepth depth) {
    boolean none =
        depth.waiting() + depth.inFlight() + depth.delayed() == 0
            && runs.stream().allMatch(run -> run.remaining().jobs() == 0);
    return none ? List.of() : cluster.hpc().ledger().view().waiting();
  }
}
