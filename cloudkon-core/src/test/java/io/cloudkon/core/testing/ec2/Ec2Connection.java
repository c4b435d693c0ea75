package io.cloudkon.core.testing.ec2;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.time.SystemTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A connection to a {@link FakeEc2}, and to no other service. The SDK's settings in this JVM say so
 * until it is closed.
 */
public final class Ec2Connection implements AutoCloseable {
  private static final String REGION = "eu-west-1";

  private final Map<String, String> before = new HashMap<>();
  private final AwsCloud cloud;

  /** Connects; makes no call. */
  public Ec2Connection(FakeEc2 ec2) {
    set("aws.region", REGION);
    set("aws.accessKeyId", "test");
    set("aws.secretAccessKey", "test");
    set("aws.endpointUrlEc2", ec2.endpoint().toString());
    cloud = AwsCloud.connect(Set.of(), new SystemTime());
  }

  private void set(String property, String value) {
    before.put(property, System.setProperty(property, value));
  }

  /** The service. */
  public Ec2Service service() {
    return cloud.ec2();
  }

  /** The connection, which counts calls. */
  public AwsCloud cloud() {
    return cloud;
  }

  @Override
  public void close() {
    cloud.close();
    before.forEach((property, value) -> {
      if (value == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, value);
      }
    });
  }
}
