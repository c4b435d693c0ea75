package io.cloudkon.core.aws;

import io.cloudkon.core.testing.EmulatorProcess;
import io.cloudkon.core.testing.SdkSettings;
import io.cloudkon.core.time.SystemTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connections to the embedded emulator, in one process of its own for all tests of this one. */
final class Emulated {
  private static final AtomicInteger CLUSTERS = new AtomicInteger();

  private Emulated() {}

  /** The variables that point a process of its own at the emulator. */
  static Map<String, String> environment() {
    return EmulatorProcess.shared().environment();
  }

  static AwsCloud connect(SystemTime time, HttpDecorator decorator) {
    return connect(null, time, decorator);
  }

  static AwsCloud connect(@Nullable String bucket, SystemTime time, HttpDecorator decorator) {
    SdkSettings.apply(environment());
    return AwsCloud.connect(Set.of(), bucket, time, decorator);
  }

  static AwsCloud connect() {
    return connect(new SystemTime(), HttpDecorator.NONE);
  }

  /** A name that no other test uses. */
  static String clusterName() {
    return "it-%d-%d".formatted(ProcessHandle.current().pid(), CLUSTERS.incrementAndGet());
  }
}
