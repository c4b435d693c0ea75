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
 * Makes a worker sick if AWS refuses it a service that every worker needs: the request queues or
 * the claims. Other refusals have a smaller effect: of a response queue on its run, of a bucket on
 * the bundles that need it, and of the dead-letter queue on the tasks that failed for good. Thread
 * safe.
 */
final class RefusedServices implements RefusalLog.Listener {
  private final Set<String> needed;
  private final Health health;
  private final Executor io;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /**
   * Starts without refusals.
   *
   * @param io runs blocking calls
   */
  RefusedServices(String cluster, Health health, Executor io) {
    this.needed = Set.of(cluster, Names.hpc(cluster), Names.ranks(cluster), Names.claims(cluster));
    this.health = health;
    this.io = io;
  }

  /**
   * The cluster's ports, watched for such refusals.
   *
   * @param log receives the log messages about refusals
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
