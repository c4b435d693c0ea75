package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Whole emulators whose answers are delayed: as many delays as answers, however slow the rest. */
class EmulatedLatencyIT {
  private static final int CALLS = 20;
  private static final Duration MEDIAN = Duration.ofMillis(50);

  /** The shortest time that this many delays take in a row, one connection after the other. */
  private static Duration delays(int answers) {
    Duration[] sum = {Duration.ZERO};
    EmulatedLatency latency = new EmulatedLatency(MEDIAN, time -> sum[0] = sum[0].plus(time));
    for (int i = 0; i < answers; i++) {
      latency.delay();
    }
    return sum[0];
  }

  private static Duration timed(Runnable call) {
    long begun = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Test
  void each_answer_of_sqs_is_delayed() {
    try (LocalProcess local = LocalProcess.start("--emulate-latency", "50ms");
        SqsCalls sqs = new SqsCalls(local.endpoints(), local.key())) {
      Duration took = timed(() -> sqs.call("GetQueueUrl", Map.of("QueueName", "none")).error());
      assertThat(took).isGreaterThanOrEqualTo(delays(CALLS));
    }
  }

  @Test
  void each_answer_of_dynamodb_is_delayed() {
    try (LocalProcess local = LocalProcess.start("--emulate-latency", "50ms");
        DynamoDbClient dynamoDb =
            DynamoDbClient.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .endpointOverride(
                    URI.create("http://127.0.0.1:" + local.endpoints().dynamoDbPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(
                    StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(local.key().id(), local.key().secret())))
                .build()) {
      assertThat(timed(dynamoDb::listTables)).isGreaterThanOrEqualTo(delays(CALLS));
    }
  }
}
