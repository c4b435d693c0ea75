package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.testing.Reach;
import io.cloudkon.core.testing.SdkSettings;
import io.cloudkon.core.testing.Target;
import io.cloudkon.core.time.SystemTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkSystemSetting;

/** Connections to what the contract suites run against, which is {@link Target#chosen()}. */
final class Targeted {
  private static @Nullable Reach reach;

  private Targeted() {}

  /**
   * Connects, with no faults.
   *
   * @param suite that runs
   * @throws org.opentest4j.TestAbortedException if it cannot run there
   */
  static AwsCloud connect(Class<?> suite, SystemTime time) {
    Map<String, String> environment = reach().environmentFor(suite);
    SdkSettings.apply(environment);
    return AwsCloud.connect(SdkSettings.hosts(environment), null, time, HttpDecorator.NONE);
  }

  /** Found once: what is looked for in vain takes its time. */
  private static synchronized Reach reach() {
    if (reach == null) {
      reach = find(Target.chosen());
    }
    return reach;
  }

  private static Reach find(Target target) {
    Reach reach = target.reach();
    return target == Target.AWS && reach instanceof Reach.At at ? withCredentials(at) : reach;
  }

  private static Reach withCredentials(Reach.At aws) {
    SdkSettings.apply(aws.environment());
    if (Ec2.here()) {
      // tests may not find the instance's role by accident, and here it is by intention
      System.setProperty(SdkSystemSetting.AWS_EC2_METADATA_DISABLED.property(), "false");
    }
    try {
      AwsEnvironment unused = AwsEnvironment.load();
      return aws;
    } catch (UsageException e) {
      return new Reach.Nowhere(aws.target(), String.valueOf(e.getMessage()));
    }
  }

  /** A name that no other test uses, on whatever machine. */
  static String clusterName() {
    return "it-" + UUID.randomUUID().toString().substring(0, 13);
  }
}
