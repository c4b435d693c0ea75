package io.cloudkon.core.aws;

import io.cloudkon.core.testing.EmulatorProcess;
import io.cloudkon.core.time.SystemTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections to the embedded emulator, in one process of its own for all tests of this one. */
final class Emulated {
  private static final AtomicInteger CLUSTERS = new AtomicInteger();

  private Emulated() {}

  /** The variables that point a process of its own at the emulator. */
  static Map<String, String> environment() {
    return EmulatorProcess.shared().environment();
  }

  static AwsCloud connect(SystemTime time, Faults faults) {
    pointTheSdkHere();
    return AwsCloud.connect(Set.of(), time, faults);
  }

  static AwsCloud connect() {
    return connect(new SystemTime(), Faults.off());
  }

  /** A name that no other test uses. */
  static String clusterName() {
    return "it-%d-%d".formatted(ProcessHandle.current().pid(), CLUSTERS.incrementAndGet());
  }

  /** A running JVM's environment cannot be changed; the SDK's system properties say the same. */
  private static void pointTheSdkHere() {
    Map<String, String> variables = environment();
    set("aws.endpointUrlSqs", variables, "AWS_ENDPOINT_URL_SQS");
    set("aws.endpointUrlDynamoDb", variables, "AWS_ENDPOINT_URL_DYNAMODB");
    set("aws.region", variables, "AWS_REGION");
    set("aws.accessKeyId", variables, "AWS_ACCESS_KEY_ID");
    set("aws.secretAccessKey", variables, "AWS_SECRET_ACCESS_KEY");
  }

  private static void set(String property, Map<String, String> variables, String variable) {
    System.setProperty(property, variables.get(variable));
  }
}
