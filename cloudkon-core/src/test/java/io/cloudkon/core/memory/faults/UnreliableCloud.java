package io.cloudkon.core.memory.faults;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A cloud in this process that misbehaves. Thread safe. */
public final class UnreliableCloud {
  private final TimeSource time;
  private final Misbehaviour misbehaviour;
  private final MemoryCloud memory;
  private final ConcurrentMap<String, UnreliableCluster> unreliable = new ConcurrentHashMap<>();

  /**
   * Has no cluster yet.
   *
   * @param time the service's clock; where it is turned by hand, each turn must be followed by
   *     {@link #tick}
   * @param misbehaviour what its clusters do to their users
   */
  public UnreliableCloud(TimeSource time, Misbehaviour misbehaviour) {
    this.time = time;
    this.misbehaviour = misbehaviour;
    this.memory = new MemoryCloud(time, misbehaviour.habits(), misbehaviour.seed());
  }

  /** Creates what the cluster needs, as far as it does not exist, and gives its ports. */
  public Cluster setup(String name) {
    Cluster unused = memory.setup(name);
    return cluster(name);
  }

  /** Removes the cluster and all that it holds. */
  public void teardown(String name) {
    memory.teardown(name);
  }

  /** The cluster's ports, whether it exists or not; they misbehave as this cloud does. */
  public Cluster cluster(String name) {
    return misbehaviour.isReliable() ? reliable(name) : faults(name).cluster();
  }

  /** The same cluster by ports that always behave: for what a test arranges and checks. */
  public Cluster reliable(String name) {
    return memory.cluster(name);
  }

  /** The faults of {@link #cluster}: their numbers, and what is still to happen late. */
  public UnreliableCluster faults(String name) {
    return unreliable.computeIfAbsent(
        name, n -> new UnreliableCluster(reliable(n), misbehaviour.plan(time)));
  }

  /** Says that time was turned: wakes what waits for it, and drops what has expired. */
  public void tick() {
    memory.tick();
  }
}
