package io.cloudkon.core.aws;

import io.cloudkon.core.testing.LocalStack;
import io.cloudkon.core.testing.Reach;
import io.cloudkon.core.testing.Target;
import java.net.URI;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;

/** LocalStack in a container, which ends with this JVM. */
final class DockerLocalStack {
  private static final String IMAGE = "localstack/localstack:4.14.0";

  private DockerLocalStack() {}

  /** Starts it, if there is a Docker engine. */
  static Reach reach() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return new Reach.Nowhere(
          Target.LOCALSTACK,
          "AWS_ENDPOINT_URL is not set, and there is no Docker engine; to start one without Docker:"
              + " eval \"$(localstack/host-mode.sh start)\"");
    }
    @SuppressWarnings("resource") // Testcontainers' own watchdog ends it
    LocalStackContainer container =
        new LocalStackContainer(IMAGE)
            .withServices("sqs", "dynamodb", "s3")
            .withEnv("DISABLE_EVENTS", "1");
    container.start();
    URI endpoint = container.getEndpoint();
    return LocalStack.at(endpoint, endpoint);
  }
}
