package io.cloudkon.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ElasticMQ's answer to a {@code ReceiveMessage} whose client is gone: the messages that would be
 * lost.
 */
record UnreadAnswer(List<String> receiptHandles) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern CONTENT_LENGTH =
      Pattern.compile("^content-length: *(\\d+) *$", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Reads the rest of an answer that starts with {@code begun}. */
  static UnreadAnswer readFrom(SocketChannel server, ByteBuffer begun) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    append(bytes, begun);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    while (true) {
      String text = bytes.toString(StandardCharsets.ISO_8859_1);
      int end = text.indexOf(END_OF_HEAD);
      if (end >= 0) {
        Matcher length = CONTENT_LENGTH.matcher(text.substring(0, end));
        int bodyAt = end + END_OF_HEAD.length();
        if (!length.find()) {
          return new UnreadAnswer(List.of());
        }
        if (bytes.size() >= bodyAt + Integer.parseInt(length.group(1))) {
          return parse(bytes.toByteArray(), bodyAt);
        }
      }
      if (server.read(buffer.clear()) < 0) {
        throw new EOFException("the answer was cut short");
      }
      append(bytes, buffer.flip());
    }
  }

  private static void append(ByteArrayOutputStream bytes, ByteBuffer part) {
    byte[] copy = new byte[part.remaining()];
    part.get(copy);
    bytes.writeBytes(copy);
  }

  private static UnreadAnswer parse(byte[] answer, int bodyAt) throws IOException {
    JsonNode messages = JSON.readTree(answer, bodyAt, answer.length - bodyAt).path("Messages");
    return new UnreadAnswer(messages.findValuesAsText("ReceiptHandle"));
  }

  /** Makes the messages visible again, over the connection on which they arrived. */
  void handBack(String queueUrl, SocketChannel server) throws IOException {
    if (receiptHandles.isEmpty()) {
      return;
    }
    byte[] body = JSON.writeValueAsBytes(visibleNow(queueUrl));
    String head =
        String.join(
            "\r\n",
            "POST / HTTP/1.1",
            "Host: 127.0.0.1",
            "X-Amz-Target: AmazonSQS.ChangeMessageVisibilityBatch",
            "Content-Type: application/x-amz-json-1.0",
            "Content-Length: " + body.length,
            "Connection: close",
            END_OF_HEAD.substring(2));
    ByteBuffer request =
        ByteBuffer.allocate(head.length() + body.length)
            .put(head.getBytes(StandardCharsets.ISO_8859_1))
            .put(body)
            .flip();
    while (request.hasRemaining()) {
      server.write(request);
    }
    ByteBuffer ignored = ByteBuffer.allocate(BUFFER_BYTES);
    while (server.read(ignored.clear()) >= 0) {
      // reads until the request is served, because closing earlier would undo it
    }
  }

  private JsonNode visibleNow(String queueUrl) {
    ObjectNode request = JSON.createObjectNode().put("QueueUrl", queueUrl);
    ArrayNode entries = request.putArray("Entries");
    for (String handle : receiptHandles) {
      entries
          .addObject()
          .put("Id", Integer.toString(entries.size()))
          .put("ReceiptHandle", handle)
          .put("VisibilityTimeout", 0);
    }
    return request;
  }
}
