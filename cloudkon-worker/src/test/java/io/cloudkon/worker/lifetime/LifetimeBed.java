package io.cloudkon.worker.lifetime;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;

/** Workers as their lifetime sees them. */
final class LifetimeBed {
  private LifetimeBed() {}

  static WorkerSettings settings(String id) {
    return new WorkerSettings(
        id, 4, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
  }

  static Cluster with(Cluster cluster, Cluster.Hpc hpc) {
    return with(cluster, cluster.decisions(), hpc);
  }

  static Cluster with(Cluster cluster, DecisionStore decisions) {
    return with(cluster, decisions, cluster.hpc());
  }

  private static Cluster with(Cluster cluster, DecisionStore decisions, Cluster.Hpc hpc) {
    return new Cluster(
        cluster.name(),
        cluster.requests(),
        cluster.dead(),
        cluster.responses(),
        cluster.claims(),
        cluster.workers(),
        cluster.runs(),
        decisions,
        cluster.blobs(),
        hpc);
  }

  /** Each queue is received from, as far as it may be, and is empty; always false. */
  static boolean receiveNothing(Lifetime lifetime) {
    receiveNothing(lifetime.tasks());
    receiveNothing(lifetime.jobs());
    return false;
  }

  private static void receiveNothing(Polls polls) {
    if (polls.begin() != null) {
      polls.ended(0);
    }
  }
}
