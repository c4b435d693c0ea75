package io.cloudkon.core.contract;

import io.cloudkon.core.port.Cluster;
import java.time.Duration;

/** A cluster for one test. */
public interface ClusterFixture extends AutoCloseable {

  /**
   * A cluster that exists, with an empty request queue, no response queues, no workers, no runs.
   */
  Cluster cluster();

  /** A cluster that was never set up. */
  Cluster missing();

  /** Lets this much of the service's time pass: turned by hand, or awaited. */
  void advance(Duration time);

  /** The service's clock, epoch milliseconds. */
  long serviceMillis();

  /** Removes the cluster. */
  @Override
  void close();
}
