package io.cloudkon.core.memory;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cloud in this process: any number of clusters, each by its name. Thread safe. Nothing survives
 * the process, and expired items are dropped by {@link #tick} only.
 */
public final class MemoryCloud {
  private final TimeSource time;
  private final Misbehaviour misbehaviour;
  private final AtomicLong messages = new AtomicLong();
  private final ConcurrentMap<String, MemoryCluster> clusters = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, UnreliableCluster> unreliable = new ConcurrentHashMap<>();

  /** A cloud that behaves, with the service's clock. */
  public MemoryCloud(TimeSource time) {
    this(time, Misbehaviour.none());
  }

  /**
   * A cloud that misbehaves.
   *
   * @param time the service's clock; where it is turned by hand, each turn must be followed by
   *     {@link #tick}
   * @param misbehaviour what its clusters do to their users
   */
  public MemoryCloud(TimeSource time, Misbehaviour misbehaviour) {
    this.time = time;
    this.misbehaviour = misbehaviour;
  }

  /** Creates what the cluster needs, as far as it does not exist, and gives its ports. */
  public Cluster setup(String name) {
    memory(name).create();
    return cluster(name);
  }

  /** Removes the cluster and all that it holds. */
  public void teardown(String name) {
    memory(name).remove();
  }

  /** The cluster's ports, whether it exists or not; they misbehave as this cloud does. */
  public Cluster cluster(String name) {
    return misbehaviour.isReliable() ? reliable(name) : faults(name).cluster();
  }

  /** The same cluster by ports that always behave: for what a test arranges and checks. */
  public Cluster reliable(String name) {
    return memory(name).ports();
  }

  /** The faults of {@link #cluster}: their numbers, and what is still to happen late. */
  public UnreliableCluster faults(String name) {
    return unreliable.computeIfAbsent(
        name, n -> new UnreliableCluster(reliable(n), misbehaviour.plan(time)));
  }

  /** Says that time was turned: wakes what waits for it, and drops what has expired. */
  public void tick() {
    long now = time.serviceMillis();
    clusters.values().forEach(cluster -> cluster.tick(now));
  }

  private MemoryCluster memory(String name) {
    return clusters.computeIfAbsent(name, n -> new MemoryCluster(n, time, this::queue));
  }

  private MessageBuffer queue(String name) {
    SplittableRandom random = new SplittableRandom(misbehaviour.seed() + name.hashCode());
    return new MessageBuffer(name, time, misbehaviour.habits(), random, messages);
  }
}
