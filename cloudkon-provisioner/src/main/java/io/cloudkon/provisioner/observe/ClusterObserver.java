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
 * Reads what a provisioner decides by. Used by one thread at a time.
 *
 * <p>A look takes two requests to SQS (the depths of Q and Q-hpc) and one pass each over Q-runs and
 * Q-workers, which DynamoDB bills by size: half a read unit for each 4 KiB, some ten runs or
 * workers. Q-ledger is read only while there are HPC jobs. At the default interval of 5 s these are
 * 35,000 requests to SQS a day, 0.014 USD by list price, and about as many read units for a small
 * fleet.
 */
public final class ClusterObserver {
  private final Cluster cluster;
  private final TimeSource time;
  private final DepthReading requests;
  private final DepthReading jobs;

  /** Looks at this cluster. */
  public ClusterObserver(Cluster cluster, TimeSource time) {
    this.cluster = cluster;
    this.time = time;
    this.requests = new DepthReading(cluster.requests(), time);
    this.jobs = new DepthReading(cluster.hpc().jobs(), time);
  }

  /**
   * Looks once. A queue whose depth cannot be read has its last one for a minute, by which time it
   * is as old as SQS's own figures may be, and is empty from then on: so nothing more is launched
   * for it.
   *
   * @param open decisions of which something may still come up
   * @param foreign tokens of those that another machine's launcher alone can make
   * @param instances what the launcher lists
   * @throws io.cloudkon.core.port.TransientServiceException if a table cannot be read
   */
  public FleetObservation look(
      List<Decision> open, Set<String> foreign, List<LaunchedInstance> instances) {
    List<RunEntry> runs =
        cluster.runs().list().stream().filter(run -> run.state() != RunEntry.State.ENDED).toList();
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

  /** Whoever waits for slots holds a message of Q-hpc, and its run has a job without a result. */
  private List<Waiting> waiting(List<RunEntry> runs, QueueDepth depth) {
    boolean none =
        depth.waiting() + depth.inFlight() + depth.delayed() == 0
            && runs.stream().allMatch(run -> run.remaining().jobs() == 0);
    return none ? List.of() : cluster.hpc().ledger().view().waiting();
  }
}
