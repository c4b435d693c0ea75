package io.cloudkon.core.testing;

import com.github.dockerjava.api.DockerClient;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;

/**
 * LocalStack in a container that Testcontainers starts for all tests of this JVM, and which ends
 * with it. Testcontainers' own variable {@code TESTCONTAINERS_LOCALSTACK_CONTAINER_IMAGE} names
 * another image than LocalStack's.
 */
final class DockerLocalStack {
  private static final String IMAGE = "localstack/localstack:4.14.0";

  /** An image's label with the value {@value #ELSEWHERE} if its DynamoDB does not work offline. */
  private static final String DYNAMO_DB_LABEL = "io.cloudkon.dynamodb";

  private static final String ELSEWHERE = "elsewhere";
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private static @Nullable Reach shared;

  private DockerLocalStack() {}

  /** Starts it when it is first asked for, if there is a Docker engine. */
  static synchronized Reach reach() {
    if (shared == null) {
      shared =
          DockerClientFactory.instance().isDockerAvailable()
              ? start()
              : new Reach.Nowhere(
                  Target.LOCALSTACK,
                  "AWS_ENDPOINT_URL is not set, and there is no Docker engine; to start one without"
                      + " Docker: eval \"$(localstack/host-mode.sh start)\"");
    }
    return shared;
  }

  private static Reach start() {
    @SuppressWarnings("resource") // Testcontainers ends it
    LocalStackContainer container =
        new LocalStackContainer(IMAGE)
            .withEnv("DISABLE_EVENTS", "1")
            .withEnv("EAGER_SERVICE_LOADING", "1")
            .withEnv("SQS_ENDPOINT_STRATEGY", "path")
            .withStartupTimeout(START_LIMIT);
    String image = container.getDockerImageName(); // pulls it if need be
    boolean withDynamoDb = hasDynamoDb(image);
    container.withServices(
        Stream.of("sqs", "dynamodb", "s3", "ec2", "iam", "sts", "cloudwatch")
            .filter(service -> withDynamoDb || !service.equals("dynamodb"))
            .toArray(String[]::new));
    container.start();
    URI endpoint = container.getEndpoint();
    Map<String, String> besides = new HashMap<>();
    if (!withDynamoDb) {
      besides.putAll(EmulatorProcess.shared().environment());
      besides
          .keySet()
          .retainAll(
              Set.of("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
    }
    return LocalStack.at(described(image, withDynamoDb), endpoint, besides);
  }

  private static boolean hasDynamoDb(String image) {
    @Nullable Map<String, String> labels =
        docker().inspectImageCmd(image).exec().getConfig().getLabels();
    return labels == null || !ELSEWHERE.equals(labels.get(DYNAMO_DB_LABEL));
  }

  private static String described(String image, boolean withDynamoDb) {
    return "LocalStack in Docker: image %s, engine %s, by Testcontainers%s"
        .formatted(
            image,
            docker().versionCmd().exec().getVersion(),
            withDynamoDb ? "" : ", DynamoDB from the embedded emulator");
  }

  private static DockerClient docker() {
    return DockerClientFactory.lazyClient();
  }
}
