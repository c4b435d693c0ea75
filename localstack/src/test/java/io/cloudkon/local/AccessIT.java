package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Other users of the machine, and web pages, get nothing from a developer's emulator. */
class AccessIT {
  private static LocalProcess local;

  @BeforeAll
  static void start() {
    local = LocalProcess.start();
  }

  @AfterAll
  static void stop() {
    local.close();
  }

  /** The whole answer to one request, of which the connection is closed then. */
  private static String answer(int port, String target, String body, String... headers)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout(60_000);
      String request =
          "POST / HTTP/1.1\r\nConnection: close\r\nContent-Type: application/x-amz-json-1.0\r\n"
              + "X-Amz-Target: %s\r\nContent-Length: %d\r\n".formatted(target, body.length())
              + String.join("\r\n", headers)
              + "\r\n\r\n"
              + body;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      }
    }
  }

  private static void assertRefused(String... headers) throws IOException {
    Endpoints at = local.endpoints();
    assertThat(answer(at.sqsPort(), "AmazonSQS.ListQueues", "{}", headers))
        .startsWith("HTTP/1.1 403")
        .contains("UnrecognizedClientException");
    assertThat(answer(at.dynamoDbPort(), "DynamoDB_20120810.ListTables", "{}", headers))
        .startsWith("HTTP/1.1 403")
        .contains("UnrecognizedClientException");
    assertThat(answer(at.s3Port(), "none", "", headers))
        .startsWith("HTTP/1.1 403")
        .contains("<Code>UnrecognizedClientException</Code>");
  }

  @Test
  void each_service_refuses_a_stranger_a_page_and_another_host() throws Exception {
    String signed = "Authorization: " + SqsCalls.authorization(local.key());
    assertRefused("Host: localhost");
    assertRefused("Host: localhost", "Authorization: Credential=local/1");
    assertRefused("Host: localhost", signed, "Origin: https://example.org");
    assertRefused("Host: example.org", signed);
    assertThat(
            answer(
                local.endpoints().dynamoDbPort(),
                "DynamoDB_20120810.ListTables",
                "{}",
                "Host: localhost",
                signed))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  @EnabledOnOs(OS.LINUX) // where a process's sockets can be listed
  void nothing_else_of_the_emulator_listens_that_would_let_a_stranger_in() throws Exception {
    Endpoints at = local.endpoints();
    try (SqsCalls sqs = new SqsCalls(at, local.key())) {
      sqs.createQueue("one");

      assertThat(ListeningSockets.of(local.process().toHandle()))
          .extracting(InetSocketAddress::getPort)
          .containsExactlyInAnyOrder(at.sqsPort(), at.dynamoDbPort(), at.s3Port());
    }
  }

  @Test
  void more_clients_than_are_prepared_for_at_a_time_are_served() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<SqsCalls> clients =
          IntStream.range(0, 60)
              .mapToObj(i -> new SqsCalls(local.endpoints(), local.key()))
              .toList();
      var made =
          clients.stream()
              .map(client ->
                  threads.submit(() ->
                      client
                          .call("CreateQueue", Map.of("QueueName", "many"))
                          .ok()
                          .path("QueueUrl")
                          .asText()))
              .toList();
      for (var url : made) {
        assertThat(url.get()).endsWith("/many");
      }
      clients.forEach(SqsCalls::close);
    }
  }
}
