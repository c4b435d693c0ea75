package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.time.SystemTime;
import java.time.Duration;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** A cluster on a service whose time passes by itself. */
final class AwsFixture implements ClusterFixture {
  private final SystemTime time;
  private final AwsCloud cloud;
  private final String name;

  /** On the embedded emulator. */
  AwsFixture() {
    this(HttpDecorator.NONE);
  }

  /** On the embedded emulator. */
  AwsFixture(HttpDecorator decorator) {
    this(new SystemTime(), time -> Emulated.connect(time, decorator), Emulated.clusterName());
  }

  private AwsFixture(SystemTime time, Function<SystemTime, AwsCloud> connect, String name) {
    this.time = time;
    this.cloud = connect.apply(time);
    this.name = name;
    try {
      cloud.setup().setup(name);
    } catch (RuntimeException e) {
      close(); // what stands of it would be paid for
      throw e;
    }
  }

  /** On what the contract suites run against. */
  static AwsFixture on(Class<?> suite) {
    return new AwsFixture(
        new SystemTime(), time -> Targeted.connect(suite, time), Targeted.clusterName());
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
    ResponseQueue responses = cluster().responses();
    responses.list().forEach(responses::remove); // their names are not those of clients
    cloud.setup().removeAll(name);
    cloud.close();
  }
}
