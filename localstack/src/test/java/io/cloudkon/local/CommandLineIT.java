package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineIT {
  @Test
  void foreground_once_ready_prints_the_export_lines_and_nothing_else() {
    try (LocalProcess local = LocalProcess.start()) {
      Endpoints endpoints = local.endpoints();
      assertThat(local.exports())
          .containsExactly(
              "export AWS_ENDPOINT_URL_SQS=http://127.0.0.1:" + endpoints.sqsPort(),
              "export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:" + endpoints.dynamoDbPort(),
              "export AWS_ENDPOINT_URL_S3=http://127.0.0.1:" + endpoints.s3Port(),
              "export AWS_REGION=us-east-1",
              "export AWS_ACCESS_KEY_ID=" + local.key().id(),
              "export AWS_SECRET_ACCESS_KEY=" + local.key().secret());
      try (LocalProcess another = LocalProcess.start()) {
        assertThat(another.key()).isNotEqualTo(local.key());
      }
    }
  }

  @Test
  void foreground_when_standard_input_closes_ends_with_0_and_one_line_on_standard_error()
      throws Exception {
    try (LocalProcess local = LocalProcess.start()) {
      local.process().getOutputStream().close();
      assertThat(local.exitCode()).isZero();
      assertThat(local.errors()).isEqualTo("The emulator runs until the end of standard input.");
    }
  }

  @Test
  void foreground_at_sigterm_gives_its_ports_back() {
    try (LocalProcess local = LocalProcess.start()) {
      local.process().destroy();
      local.exitCode();
      Endpoints before = local.endpoints();
      try (LocalProcess again =
          LocalProcess.start(
              "--sqs-port=" + before.sqsPort(),
              "--dynamodb-port=" + before.dynamoDbPort(),
              "--s3-port=" + before.s3Port())) {
        assertThat(again.endpoints()).isEqualTo(before);
      }
    }
  }

  @Test
  void foreground_with_a_port_in_use_says_so_in_one_line_and_exits_with_3() {
    try (LocalProcess local = LocalProcess.start()) {
      int sqs = local.endpoints().sqsPort();
      int dynamoDb = local.endpoints().dynamoDbPort();
      int s3 = local.endpoints().s3Port();
      for (List<Object> taken :
          List.<List<Object>>of(
              List.of("--sqs-port", sqs, "SQS"),
              List.of("--dynamodb-port", dynamoDb, "DynamoDB"),
              List.of("--s3-port", s3, "S3"))) {
        LocalProcess.Ended ended = LocalProcess.run(taken.get(0) + "=" + taken.get(1));
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines())
            .singleElement()
            .asString()
            .contains("Port " + taken.get(1) + " on 127.0.0.1 cannot be used for " + taken.get(2));
      }
    }
  }

  @Test
  void services_are_not_reachable_but_by_loopback() throws Exception {
    try (LocalProcess local = LocalProcess.start()) {
      for (InetAddress address : addressesBesidesLoopback()) {
        for (int port :
            List.of(
                local.endpoints().sqsPort(),
                local.endpoints().dynamoDbPort(),
                local.endpoints().s3Port())) {
          assertThat(connects(address, port)).as("%s port %d", address, port).isFalse();
        }
      }
    }
  }

  private static List<InetAddress> addressesBesidesLoopback() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }

  private static boolean connects(InetAddress address, int port) throws Exception {
    try (Socket socket = new Socket(address, port)) {
      return socket.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }
}
