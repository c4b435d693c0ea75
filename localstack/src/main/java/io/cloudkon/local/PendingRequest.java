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
 * time. Keeps only the first bytes, because a longer request is not a poll. Decides which of the
 * connection's two threads closes it when the client is gone. Thread-safe.
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
  private State state = State.NONE;
  private boolean clientGone;

  private enum State {
    NONE,
    /** No part of the answer has arrived yet. */
    OPEN,
    /** The first part of the answer has arrived, and is not yet with the client. */
    ANSWERING
  }

  /** Records bytes that go to the server; leaves the buffer unchanged. */
  synchronized void sent(ByteBuffer bytes) {
    if (state != State.OPEN) {
      state = State.OPEN;
      length = 0;
    }
    int taken = Math.min(bytes.remaining(), KEPT_BYTES - length);
    bytes.get(bytes.position(), kept, length, taken);
    length += taken;
  }

  /** Records a part of the answer; returns true if it is the first. */
  synchronized boolean answered() {
    boolean first = state == State.OPEN;
    if (first) {
      state = State.ANSWERING;
    }
    return first;
  }

  /** Records that a part of the answer was passed on; returns true if the client has left since. */
  synchronized boolean delivered() {
    if (state == State.ANSWERING) {
      state = State.NONE;
    }
    return clientGone;
  }

  /**
   * Records that the client is gone.
   *
   * @return whether the connection is to be closed now; if not, the thread of the answers still has
   *     to hand back the messages of a poll, and closes it
   */
  synchronized boolean leave() {
    clientGone = true;
    return state == State.NONE || polledQueue().isEmpty();
  }

  synchronized boolean isClientGone() {
    return clientGone;
  }

  /** Whether no part of the answer has arrived yet. */
  synchronized boolean isOpen() {
    return state == State.OPEN;
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
