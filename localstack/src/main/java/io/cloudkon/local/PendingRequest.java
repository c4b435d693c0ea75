package io.cloudkon.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The request of a connection that is not answered yet; HTTP/1.1 clients of AWS have only one at a
 * time. Keeps only the first bytes, because a longer request is not a poll. Thread-safe.
 */
final class PendingRequest {
  private static final int KEPT_BYTES = 8 * 1024;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final Pattern POLL =
      Pattern.compile(
          "^x-amz-target: *AmazonSQS\\.ReceiveMessage *$",
          Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final byte[] kept = new byte[KEPT_BYTES];
  private int length;
  private boolean open;

  /** Records bytes that go to the server; leaves the buffer unchanged. */
  synchronized void sent(ByteBuffer bytes) {
    if (!open) {
      open = true;
      length = 0;
    }
    int taken = Math.min(bytes.remaining(), KEPT_BYTES - length);
    bytes.get(bytes.position(), kept, length, taken);
    length += taken;
  }

  /** Records a part of the answer; returns true if it is the first. */
  synchronized boolean answered() {
    boolean first = open;
    open = false;
    return first;
  }

  /** Whether no part of the answer has arrived yet. */
  synchronized boolean isOpen() {
    return open;
  }

  /** Whether a client waits for the answer to a poll. */
  boolean isOpenPoll() {
    return isOpen() && polledQueue().isPresent();
  }

  /** The queue's URL, if the last request is a {@code ReceiveMessage} that was sent completely. */
  Optional<String> polledQueue() {
    byte[] bytes;
    synchronized (this) {
      if (length == KEPT_BYTES) {
        return Optional.empty();
      }
      bytes = Arrays.copyOf(kept, length);
    }
    String request = new String(bytes, StandardCharsets.UTF_8);
    int end = request.indexOf(END_OF_HEAD);
    if (end < 0 || !POLL.matcher(request.substring(0, end)).find()) {
      return Optional.empty();
    }
    return queueUrl(request.substring(end + END_OF_HEAD.length()));
  }

  private static Optional<String> queueUrl(String body) {
    try {
      return Optional.ofNullable(JSON.readTree(body).path("QueueUrl").textValue());
    } catch (JsonProcessingException e) {
      return Optional.empty(); // the request is incomplete, so its poll never began
    }
  }
}
