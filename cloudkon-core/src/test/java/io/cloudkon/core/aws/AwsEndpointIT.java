package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.aws.ConnectProcess.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A program whose endpoint does not answer, or may not be used: one line, the exit code, in time.
 */
@Execution(ExecutionMode.CONCURRENT)
final class AwsEndpointIT {
  @TempDir Path home;

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void endpoint_that_refuses_ends_with_3() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
    environment.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + closedPort());

    Outcome outcome = ConnectProcess.start(home, environment, "-s", "Q");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.error())
        .startsWith("cloudkon connect: sqs.GetQueueUrl on queue 'Q' got no answer: ")
        .contains("check AWS_ENDPOINT_URL")
        .hasLineCount(1);
  }

  @Test
  void endpoint_that_never_answers_ends_with_3() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Map<String, String> environment = ConnectProcess.emulator();
      environment.put("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:" + silent.getLocalPort());

      Outcome outcome = ConnectProcess.start(home, environment, "-s", "Q");

      assertThat(outcome.exitCode()).isEqualTo(3);
      assertThat(outcome.error()).contains("sqs.GetQueueUrl on queue 'Q' got no answer");
    }
  }

  @Test
  void endpoint_of_plain_http_elsewhere_ends_with_2_unless_allowed() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
    environment.put("AWS_ENDPOINT_URL_SQS", "http://192.0.2.1:4566");

    Outcome refused = ConnectProcess.start(home, environment, "-s", "Q");
    Outcome allowed =
        ConnectProcess.start(home, environment, "-s", "Q", "--insecure-endpoint", "192.0.2.1");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.error()).contains("--insecure-endpoint 192.0.2.1").hasLineCount(1);
    assertThat(allowed.exitCode()).isEqualTo(3); // nobody is there: TEST-NET-1
  }

  @Test
  void endpoint_of_s3_is_held_to_the_same_rule_before_its_first_use() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
    environment.put("AWS_ENDPOINT_URL_S3", "http://192.0.2.1:4566");

    Outcome refused = ConnectProcess.start(home, environment, "-s", "Q");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.error())
        .startsWith("cloudkon connect: the endpoint http://192.0.2.1:4566 of S3 is plain http")
        .hasLineCount(1);
  }

  @Test
  void endpoint_of_all_services_is_honoured() throws Exception {
    Map<String, String> environment = ConnectProcess.emulator();
    environment.remove("AWS_ENDPOINT_URL_SQS");
    environment.put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + closedPort());

    assertThat(ConnectProcess.start(home, environment, "-s", "Q").error())
        .contains("sqs.GetQueueUrl");
  }
}
