package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A cluster on the embedded emulator, whose time passes by itself. */
final class AwsFixture implements ClusterFixture {
  private final SystemTime time = new SystemTime();
  private final AwsCloud cloud;
  private final String name = Emulated.clusterName();

  AwsFixture() {
    this(Faults.off());
  }

  AwsFixture(Faults faults) {
    cloud = Emulated.connect(time, faults);
    cloud.setup().setup(name);
  }

  AwsCloud cloud() {
    return cloud;
  }

  @Override
  public Cluster cluster() {
    return cloud.cluster(name);
  }

  @Override
  public Cluster missing() {
    return cloud.cluster(name + "-none");
  }

  @Override
  public void advance(Duration by) {
    Awaitility.await().pollDelay(by).atMost(by.plusSeconds(10)).until(() -> true);
  }

  @Override
  public long serviceMillis() {
    return time.serviceMillis();
  }

  @Override
  public void close() {
    // without teardown's checks: tests leave live workers and open runs behind
    AwsSetup setup = cloud.setup();
    setup.removeAll(name);
    cloud.close();
  }
}
