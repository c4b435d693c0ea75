package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.Cluster;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** A cluster, of whatever cloud, whose calls meet the fates of a plan. Thread safe. */
public final class UnreliableCluster {
  private final Map<Port, Injector> injectors = new EnumMap<>(Port.class);
  private final Cluster cluster;

  /**
   * Wraps all ports.
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
            new UnreliableRequestQueue(reliable.requests(), injector(Port.REQUESTS)),
            reliable.dead(),
            new UnreliableResponseQueue(reliable.responses(), injector(Port.RESPONSES)),
            new UnreliableClaimStore(reliable.claims(), injector(Port.CLAIMS)),
            new UnreliableWorkerRegistry(reliable.workers(), injector(Port.WORKERS)),
            new UnreliableRunStore(reliable.runs(), injector(Port.RUNS)),
            new UnreliableBlobStore(reliable.blobs(), injector(Port.BLOBS)));
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

  private Injector injector(Port port) {
    return Objects.requireNonNull(injectors.get(port));
  }
}
