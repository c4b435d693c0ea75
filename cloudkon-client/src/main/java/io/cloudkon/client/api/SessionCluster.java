package io.cloudkon.client.api;

import io.cloudkon.client.local.LocalCluster;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Fairness;
import io.cloudkon.client.session.Meters;
import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.Carriers;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster in which a session's tasks run.
 *
 * @param cluster its ports
 * @param meters its clock and calls
 * @param options adapts a run's options to the cluster
 * @param end releases it
 */
record SessionCluster(
    Cluster cluster, Meters meters, UnaryOperator<RunOptions> options, Release end) {

  private static final Logger LOG = LoggerFactory.getLogger(SessionCluster.class);

  /** Carriers for what a session does at the same time, beyond one for each core. */
  private static final int CALLS = 14;

  /** The slots of all local sessions of this JVM. */
  private static final AtomicInteger LOCAL_SLOTS = new AtomicInteger();

  /** Releases resources. */
  @FunctionalInterface
  interface Release {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Connects.
   *
   * @throws CloudKonException if the cluster is missing, or a service refuses or cannot be reached
   */
  static SessionCluster connect(SessionConfig config) {
    SystemTime time = new SystemTime();
    if (config.isLocal()) {
      return local(config, time);
    }
    Carriers.raise(CALLS);
    AwsCloud cloud = AwsCloud.connect(config.insecureEndpoints(), config.bucket(), time);
    try {
      Cluster cluster = cloud.cluster(config.queue());
      cloud.probe(config.queue(), StartCheck.ofClient(cluster));
      Fairness fairness = new Fairness(Optional.empty(), false);
      return new SessionCluster(
          cluster, Meters.of(cloud, time), asked -> fairness.in(cluster, asked), cloud::close);
    } catch (RuntimeException | Error e) {
      cloud.close();
      throw e;
    }
  }

  private static SessionCluster local(SessionConfig config, SystemTime time) {
    Carriers.raise(LOCAL_SLOTS.addAndGet(config.slots()));
    try {
      LocalCluster local = LocalCluster.start(config.slots(), config.handlers(), time);
      return new SessionCluster(
          local.cluster(),
          Meters.local(time),
          UnaryOperator.identity(),
          () -> {
            LOCAL_SLOTS.addAndGet(-config.slots());
            local.close();
          });
    } catch (RuntimeException | Error e) {
      LOCAL_SLOTS.addAndGet(-config.slots());
      throw e;
    }
  }

  /** Releases the cluster; logs what cannot be closed. */
  void letGo() {
    try {
      end.run();
    } catch (IOException e) {
      LOG.warn("a handler could not be closed: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
