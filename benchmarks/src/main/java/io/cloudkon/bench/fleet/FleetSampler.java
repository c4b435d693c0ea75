package io.cloudkon.bench.fleet;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.time.SystemTime;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Prints a {@link FleetSample} of a cluster twice a second until it is ended: {@code FleetSampler
 * QUEUE}. It is a process of its own because the environment determines where the cluster is.
 */
public final class FleetSampler {
  private static final long EVERY_MILLIS = 500;

  private FleetSampler() {}

  public static void main(String[] args) throws InterruptedException {
    SystemTime time = new SystemTime();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(ended::countDown));
    try (AwsCloud cloud = AwsCloud.connect(Set.of(), time)) {
      Cluster cluster = cloud.cluster(args[0]);
      System.out.println(FleetSample.HEAD);
      do {
        System.out.println(sample(cluster, time).line());
        System.out.flush();
      } while (!ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private static FleetSample sample(Cluster cluster, SystemTime time) {
    QueueDepth depth = cluster.requests().depth();
    ProvisionerEntry.Fleet fleet =
        cluster
            .decisions()
            .provisioner()
            .map(ProvisionerEntry::fleet)
            .orElse(ProvisionerEntry.Fleet.UNSEEN);
    long now = time.serviceMillis();
    long live = cluster.workers().list().stream().filter(w -> w.livesAt(now)).count();
    return new FleetSample(
        System.currentTimeMillis(),
        depth.waiting() + depth.delayed() + depth.inFlight(),
        fleet.wanted(),
        fleet.booting(),
        (int) live,
        fleet.spentUsd());
  }
}
