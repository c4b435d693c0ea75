package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;

/** A memory cluster whose time is turned by hand. */
final class MemoryFixture implements ClusterFixture {
  private final ManualTime time = new ManualTime();
  private final MemoryCloud cloud = new MemoryCloud(time);

  MemoryFixture() {
    time.onAdvance(cloud::tick);
    Cluster unused = cloud.setup("here");
  }

  @Override
  public Cluster cluster() {
    return cloud.cluster("here");
  }

  @Override
  public Cluster missing() {
    return cloud.cluster("nowhere");
  }

  @Override
  public void advance(Duration by) {
    time.advance(by);
  }

  @Override
  public long serviceMillis() {
    return time.serviceMillis();
  }

  @Override
  public void close() {
    cloud.teardown("here");
  }
}
