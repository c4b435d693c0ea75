package io.cloudkon.core.memory;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
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
  private final QueueHabits habits;
  private final long seed;
  private final AtomicLong messages = new AtomicLong();
  private final ConcurrentMap<String, MemoryCluster> clusters = new ConcurrentHashMap<>();

  /** A cloud with orderly queues, with the service's clock. */
  public MemoryCloud(TimeSource time) {
    this(time, QueueHabits.orderly(), 0);
  }

  /**
   * A cloud whose queues have habits.
   *
   * @param time the service's clock; where it is turned by hand, each turn must be followed by
   *     {@link #tick}
   * @param seed of the disorder of its queues
   */
  public MemoryCloud(TimeSource time, QueueHabits habits, long seed) {
    this.time = time;
    this.habits = habits;
    this.seed = seed;
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

  /** The cluster's ports, whether it exists or not. */
  public Cluster cluster(String name) {
    return memory(name).ports();
  }

  /** Says that time was turned: wakes what waits for it, and drops what has expired. */
  public void tick() {
    long now = time.serviceMillis();
    clusters.values().forEach(cluster -> cluster.tick(now));
  }

  /**
   * Drops the claims of bundles that were finished this long ago, which an orderly queue does not
   * deliver again. Otherwise a process that runs for days would keep one for each bundle.
   */
  public void forgetFinished(Duration ago) {
    long before = time.serviceMillis() - ago.toMillis();
    clusters.values().forEach(cluster -> cluster.forgetFinished(before));
  }

  private MemoryCluster memory(String name) {
    return clusters.computeIfAbsent(name, n -> new MemoryCluster(n, time, this::queue));
  }

  private MessageBuffer queue(String name) {
    SplittableRandom random = new SplittableRandom(seed + name.hashCode());
    return new MessageBuffer(name, time, habits, random, messages);
  }
}
