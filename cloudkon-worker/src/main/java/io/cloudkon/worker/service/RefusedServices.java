package io.cloudkon.worker.service;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.refusal.RefusalLog;
import io.cloudkon.core.refusal.WatchedPorts;
import io.cloudkon.worker.health.Health;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Makes a worker sick that may not do what no worker can do without: a refusal on the request
 * queues or the claims. A refused response queue concerns its run, a refused bucket the bundles
 * that need it, and a refused dead-letter queue the tasks that have failed for good. Thread safe.
 */
final class RefusedServices implements RefusalLog.Listener {
  private final Set<String> needed;
  private final Health health;
  private final Executor io;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /**
   * Nothing is refused yet.
   *
   * @param io runs what blocks
   */
  RefusedServices(String cluster, Health health, Executor io) {
    this.needed = Set.of(cluster, Names.hpc(cluster), Names.ranks(cluster), Names.claims(cluster));
    this.health = health;
    this.io = io;
  }

  /**
   * The cluster as such a worker sees it.
   *
   * @param log takes what is said of refusals
   */
  static Cluster watched(Cluster ports, Health health, Executor io, Consumer<String> log) {
    RefusedServices services = new RefusedServices(ports.name(), health, io);
    return WatchedPorts.of(ports, new RefusalLog(log, services));
  }

  @Override
  public void refused(RefusedException e, Runnable again) {
    if (needed.contains(e.resource()) && asked.add(e.what())) {
      io.execute(() -> {
        try {
          boolean unused = health.isSick(new Sickness.Service(e.what()), again::run);
        } finally {
          asked.remove(e.what());
        }
      });
    }
  }
}
