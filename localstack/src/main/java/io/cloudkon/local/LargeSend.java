package io.cloudkon.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of more than 1 MiB that sends messages, and may exceed the limit of SQS. ElasticMQ
 * compares only the bodies with the limit, each by itself; SQS adds up the bodies and attributes of
 * a batch. Only requests in SQS's JSON protocol that state their length are recognized; those in
 * the query protocol, or in chunks, are left to ElasticMQ.
 *
 * @param batch whether it is a {@code SendMessageBatch}, and not a {@code SendMessage}
 * @param bodyAt the position of its body
 * @param request the whole request
 */
record LargeSend(boolean batch, int bodyAt, ByteBuffer request) {
  /** The most bytes of a message, and of all messages of a batch. */
  private static final int MOST_BYTES = 1024 * 1024;

  /** Longer requests are left to ElasticMQ, which refuses every one. */
  private static final int LONGEST_BODY = 64 << 20;

  private static final int LONGEST_HEAD = 16 * 1024;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final Pattern LENGTH =
      Pattern.compile("\ncontent-length: *([0-9]{7,8}) *\r", Pattern.CASE_INSENSITIVE);
  private static final Pattern TARGET =
      Pattern.compile(
          "\nx-amz-target: *AmazonSQS\\.SendMessage(Batch)? *\r", Pattern.CASE_INSENSITIVE);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads the rest of a request, if it is one that must be measured. Otherwise reads at most until
   * its head is complete.
   *
   * @param begun the bytes with which the request begins; may receive more of the head
   */
  static Optional<LargeSend> begunBy(ByteBuffer begun, SocketChannel client) throws IOException {
    String head = head(begun, client);
    int end = head.indexOf(END_OF_HEAD);
    if (end < 0) {
      return Optional.empty();
    }
    Matcher length = LENGTH.matcher(head).region(0, end + 2);
    if (!length.find()) {
      return Optional.empty();
    }
    int bytes = Integer.parseInt(length.group(1));
    Matcher target = TARGET.matcher(head).region(0, end + 2);
    if (bytes <= MOST_BYTES || bytes > LONGEST_BODY || !target.find()) {
      return Optional.empty();
    }
    int bodyAt = end + END_OF_HEAD.length();
    ByteBuffer request = ByteBuffer.allocate(bodyAt + bytes).put(begun);
    while (request.hasRemaining()) {
      if (client.read(request) < 0) {
        throw new EOFException("the client left during a request");
      }
    }
    return Optional.of(new LargeSend(target.group(1) != null, bodyAt, request.flip()));
  }

  private static String head(ByteBuffer begun, SocketChannel client) throws IOException {
    while (true) {
      byte[] bytes = new byte[Math.min(begun.remaining(), LONGEST_HEAD)];
      begun.get(begun.position(), bytes);
      String head = new String(bytes, ISO_8859_1);
      boolean complete = head.contains(END_OF_HEAD) || !head.startsWith("POST ");
      if (complete || bytes.length == LONGEST_HEAD || begun.limit() == begun.capacity()) {
        return head;
      }
      begun.mark().position(begun.limit()).limit(begun.capacity());
      int read = client.read(begun);
      begun.limit(begun.position()).reset();
      if (read < 0) {
        return head;
      }
    }
  }

  /** The answer of SQS, if the messages are too large. */
  Optional<ByteBuffer> refusal() throws IOException {
    JsonNode body = body();
    long bytes = 0;
    for (JsonNode message : batch ? body.path("Entries") : JSON.createArrayNode().add(body)) {
      bytes += countedBytes(message);
    }
    if (bytes <= MOST_BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        batch
            ? answer(
                "BatchRequestTooLong",
                "AWS.SimpleQueueService.BatchRequestTooLong",
                "Batch requests cannot be longer than %d bytes. You have sent %d bytes."
                    .formatted(MOST_BYTES, bytes))
            : answer(
                "InvalidParameterValue",
                "InvalidParameterValue",
                "One or more parameters are invalid. Reason: Message must be shorter than %d bytes."
                    .formatted(MOST_BYTES)));
  }

  /** Nothing if it is no JSON, which ElasticMQ refuses. */
  private JsonNode body() throws IOException {
    try {
      int offset = request.arrayOffset() + bodyAt;
      return JSON.readTree(request.array(), offset, request.limit() - bodyAt);
    } catch (JsonProcessingException e) {
      return JSON.createObjectNode();
    }
  }

  /** The size of a message as SQS counts it: its body and its attributes' names, types, values. */
  static long countedBytes(JsonNode message) {
    long bytes = utf8(message.path("MessageBody"));
    Iterable<Map.Entry<String, JsonNode>> attributes = message.path("MessageAttributes")::fields;
    for (Map.Entry<String, JsonNode> attribute : attributes) {
      JsonNode value = attribute.getValue();
      bytes +=
          attribute.getKey().getBytes(UTF_8).length
              + utf8(value.path("DataType"))
              + utf8(value.path("StringValue"))
              + decoded(value.path("BinaryValue").asText());
    }
    return bytes;
  }

  private static int utf8(JsonNode text) {
    return text.asText().getBytes(UTF_8).length;
  }

  private static int decoded(String base64) {
    int digits = base64.length();
    while (digits > 0 && base64.charAt(digits - 1) == '=') {
      digits--;
    }
    return (int) (digits * 3L / 4);
  }

  private static ByteBuffer answer(String type, String code, String message) {
    return Refused.JSON.response(
        "400 Bad Request",
        "x-amzn-query-error: " + code + ";Sender",
        "com.amazonaws.sqs#" + type,
        message);
  }
}
