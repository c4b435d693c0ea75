package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What CloudKon needs of SQS. */
class SqsIT {
  private static LocalProcess local;
  private static SqsCalls sqs;

  @BeforeAll
  static void start() {
    local = LocalProcess.start();
    sqs = new SqsCalls(local.endpoints(), local.key());
  }

  @AfterAll
  static void stop() {
    sqs.close();
    local.close();
  }

  @Test
  void queue_url_leads_back_to_the_emulator() {
    assertThat(sqs.createQueue("url"))
        .isEqualTo("http://127.0.0.1:" + local.endpoints().sqsPort() + "/000000000000/url");
  }

  @Test
  void queue_that_does_not_exist_is_said_to() {
    SqsCalls.Answer answer = sqs.call("GetQueueUrl", Map.of("QueueName", "none"));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo("QueueDoesNotExist");
  }

  @Test
  void binary_attribute_of_60_kib_comes_back_as_it_was_sent() {
    String queue = sqs.createQueue("binary");
    byte[] payload = new byte[60 * 1024];
    new Random(7).nextBytes(payload);
    Map<String, ?> attribute =
        Map.of("DataType", "Binary", "BinaryValue", Base64.getEncoder().encodeToString(payload));
    sqs.call(
            "SendMessage",
            Map.of(
                "QueueUrl",
                queue,
                "MessageBody",
                "-",
                "MessageAttributes",
                Map.of("payload", attribute)))
        .ok();
    String received =
        sqs.receive(queue).path(0).at("/MessageAttributes/payload/BinaryValue").asText();
    assertThat(Base64.getDecoder().decode(received)).isEqualTo(payload);
  }

  @Test
  void message_carries_when_it_was_sent_and_how_often_received() {
    String queue = sqs.createQueue("attributes");
    long before = System.currentTimeMillis();
    sqs.send(queue, "hello");
    JsonNode message = sqs.receive(queue).path(0);
    assertThat(message.at("/Attributes/SentTimestamp").asLong())
        .isBetween(before, System.currentTimeMillis());
    assertThat(message.at("/Attributes/ApproximateReceiveCount").asInt()).isEqualTo(1);
  }

  @Test
  void message_put_back_is_received_again_at_once() {
    String queue = sqs.createQueue("put-back");
    sqs.send(queue, "hello");
    String handle = sqs.receive(queue).path(0).path("ReceiptHandle").asText();
    sqs.call(
            "ChangeMessageVisibility",
            Map.of("QueueUrl", queue, "ReceiptHandle", handle, "VisibilityTimeout", 0))
        .ok();
    JsonNode again = sqs.receive(queue).path(0);
    assertThat(again.at("/Attributes/ApproximateReceiveCount").asInt()).isEqualTo(2);
  }

  @Test
  void message_beyond_the_limits_of_sqs_is_refused() {
    String queue = sqs.createQueue("limits");
    for (String body : List.of("", "\u0001", "x".repeat(1024 * 1024 + 1))) {
      assertThat(sqs.call("SendMessage", Map.of("QueueUrl", queue, "MessageBody", body)).status())
          .isEqualTo(400);
    }
    List<Map<String, String>> entries =
        java.util.stream.IntStream.rangeClosed(1, 11)
            .mapToObj(i -> Map.of("Id", "" + i, "MessageBody", "x"))
            .toList();
    assertThat(sqs.call("SendMessageBatch", Map.of("QueueUrl", queue, "Entries", entries)).error())
        .isEqualTo("TooManyEntriesInBatchRequest");
  }

  private static Map<String, Object> binary(String id, int bytes) {
    String value = Base64.getEncoder().encodeToString(new byte[bytes]);
    return Map.of(
        "Id",
        id,
        "MessageBody",
        "-",
        "MessageAttributes",
        Map.of("payload", Map.of("DataType", "Binary", "BinaryValue", value)));
  }

  private static SqsCalls.Answer sendBatch(String queue, List<Map<String, Object>> entries) {
    return sqs.call("SendMessageBatch", Map.of("QueueUrl", queue, "Entries", entries));
  }

  private static SqsCalls.Answer send(String queue, Map<String, Object> message) {
    Map<String, Object> request = new HashMap<>(message);
    request.remove("Id");
    request.put("QueueUrl", queue);
    return sqs.call("SendMessage", request);
  }

  /** As SQS counts: body, and name, type and value of each attribute. */
  @Test
  void attributes_count_for_the_size_of_a_message_and_of_a_batch() {
    String queue = sqs.createQueue("sizes");
    int most = 1024 * 1024 - "-payloadBinary".length();
    assertThat(send(queue, binary("1", most)).status()).isEqualTo(200);
    assertThat(sendBatch(queue, List.of(binary("1", most))).status()).isEqualTo(200);

    SqsCalls.Answer message = send(queue, binary("1", most + 1));
    assertThat(message.status()).isEqualTo(400);
    assertThat(message.error())
        .isEqualTo(
            sqs.call(
                    "SendMessage",
                    Map.of("QueueUrl", queue, "MessageBody", "x".repeat(1024 * 1024 + 1)))
                .error());
    SqsCalls.Answer batch =
        sendBatch(queue, List.of(binary("1", most - 1_000), binary("2", 1_000)));
    assertThat(batch.status()).isEqualTo(400);
    assertThat(batch.error()).isEqualTo("BatchRequestTooLong");
    assertThat(batch.body().path("message").asText()).contains("You have sent 1048590 bytes");
    assertThat(sendBatch(queue, List.of(binary("1", 1_000), binary("2", 1_000))).status())
        .as("on the same connection")
        .isEqualTo(200);
  }

  @Test
  void largest_message_of_sqs_is_taken() {
    String queue = sqs.createQueue("largest");
    String body = "x".repeat(1024 * 1024);
    sqs.send(queue, body);
    assertThat(sqs.receive(queue).path(0).path("Body").asText()).isEqualTo(body);
  }

  /** As localstack/README.md lists it; SQS refuses both. */
  @Test
  void visibility_may_be_changed_for_a_visible_message_and_beyond_twelve_hours() {
    String queue = sqs.createQueue("otherwise");
    sqs.send(queue, "hello");
    String handle = sqs.receive(queue).path(0).path("ReceiptHandle").asText();
    for (int seconds : List.of(0, 12 * 60 * 60 + 1)) {
      sqs.call(
              "ChangeMessageVisibility",
              Map.of("QueueUrl", queue, "ReceiptHandle", handle, "VisibilityTimeout", seconds))
          .ok();
    }
    assertThat(sqs.call("ReceiveMessage", Map.of("QueueUrl", queue)).ok().path("Messages"))
        .isEmpty();
  }

  @Test
  void purged_queue_is_empty() {
    String queue = sqs.createQueue("purged");
    Collections.nCopies(3, "x").forEach(body -> sqs.send(queue, body));
    sqs.call("PurgeQueue", Map.of("QueueUrl", queue)).ok();
    assertThat(
            sqs.call(
                    "GetQueueAttributes",
                    Map.of(
                        "QueueUrl",
                        queue,
                        "AttributeNames",
                        List.of("ApproximateNumberOfMessages")))
                .ok()
                .at("/Attributes/ApproximateNumberOfMessages")
                .asInt())
        .isZero();
  }

  /**
   * ElasticMQ alone would hand it to the client that is gone, and hide it for the visibility
   * timeout.
   */
  @Test
  void message_taken_by_the_poll_of_a_client_that_is_gone_reaches_the_next_client() {
    String queue = sqs.createQueue("orphaned");
    await()
        .untilAsserted(() -> {
          pollAndGo(queue);
          sqs.send(queue, "hello");
          JsonNode message = sqs.receive(queue).path(0);
          sqs.call(
                  "DeleteMessage",
                  Map.of(
                      "QueueUrl", queue, "ReceiptHandle", message.path("ReceiptHandle").asText()))
              .ok();
          // the first time it went to nobody; once, if the poll had not yet begun
          assertThat(message.at("/Attributes/ApproximateReceiveCount").asInt()).isEqualTo(2);
        });
  }

  private static void pollAndGo(String queue) throws IOException {
    String body =
        "{\"QueueUrl\":\"" + queue + "\",\"WaitTimeSeconds\":20,\"VisibilityTimeout\":600}";
    String request =
        "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\n"
            + "Authorization: "
            + SqsCalls.authorization(local.key())
            + "\r\n"
            + "Content-Type: application/x-amz-json-1.0\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    try (Socket socket = new Socket("127.0.0.1", local.endpoints().sqsPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }
}
