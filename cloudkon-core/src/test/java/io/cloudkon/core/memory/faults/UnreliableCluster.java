package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** A cluster, of whatever cloud, whose calls meet the fates of a plan. Thread safe. */
public final class UnreliableCluster {
  private final Map<Port, Injector> injectors = new EnumMap<>(Port.class);
  private final Cluster cluster;

  /**
   * Wraps all ports but the dead-letter queue.
   *
   * @param reliable what carries the calls out
   * @param plan what each call meets
   */
  public UnreliableCluster(Cluster reliable, FaultPlan plan) {
    for (Port port : Port.values()) {
      injectors.put(port, new Injector(plan));
    }
    this.cluster =
        new Cluster(
            reliable.name(),
            queue(reliable.requests(), QueueOperations.REQUESTS),
            reliable.dead(),
            new UnreliableResponseQueue(reliable.responses(), injector(Port.RESPONSES)),
            new UnreliableClaimStore(reliable.claims(), injector(Port.CLAIMS)),
            new UnreliableWorkerRegistry(reliable.workers(), injector(Port.WORKERS)),
            new UnreliableRunStore(reliable.runs(), injector(Port.RUNS)),
            new UnreliableDecisionStore(reliable.decisions(), injector(Port.DECISIONS)),
            new UnreliableBlobStore(reliable.blobs(), injector(Port.BLOBS)),
            new Cluster.Hpc(
                queue(reliable.hpc().jobs(), QueueOperations.JOBS),
                queue(reliable.hpc().ranks(), QueueOperations.RANKS),
                new UnreliableCapacityLedger(reliable.hpc().ledger(), injector(Port.LEDGER))));
  }

  /** The cluster as its users see it. */
  public Cluster cluster() {
    return cluster;
  }

  /** Lets every effect happen that is still late, port by port, in the order of their calls. */
  public void deliverLate() {
    injectors.values().forEach(Injector::deliverLate);
  }

  /** How many calls on this port met this fate. */
  public long count(Port port, Fate fate) {
    return injector(port).count(fate);
  }

  private RequestQueue queue(RequestQueue queue, QueueOperations operations) {
    return new UnreliableRequestQueue(queue, operations, injector(operations.port()));
  }

  private Injector injector(Port port) {
    return Objects.requireNonNull(injectors.get(port));
  }
}
