package io.cloudkon.core.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Messages to send, and patient ways to receive them from services that may need several calls. */
final class Messages {
  /** Longer than any test. */
  static final Duration LONG = Duration.ofMinutes(10);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Messages() {}

  /** A receive of up to ten that does not wait. */
  interface Receiver {
    List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
        throws InterruptedException;
  }

  static OutgoingMessage message(String text) {
    return message(text.getBytes(UTF_8));
  }

  static OutgoingMessage message(byte[] payload) {
    return new OutgoingMessage(
        Map.of(
            OutgoingMessage.RUN, "run",
            OutgoingMessage.BUNDLE, "run/epoch/7/1",
            OutgoingMessage.RESPONSE_QUEUE, "q-response-client"),
        payload);
  }

  static String text(ReceivedMessage message) {
    return new String(message.payload(), UTF_8);
  }

  /** Receives until there are so many. */
  static List<ReceivedMessage> receive(Receiver queue, int count, Duration visibility) {
    List<ReceivedMessage> received = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(() -> {
          int max = Math.min(10, count - received.size());
          received.addAll(queue.receive(max, Duration.ZERO, visibility));
          return received.size() >= count;
        });
    return received;
  }

  static ReceivedMessage receiveOne(Receiver queue, Duration visibility) {
    return receive(queue, 1, visibility).getFirst();
  }

  /** A receive on a thread of its own, to be awaited with {@link #result}. */
  static FutureTask<List<ReceivedMessage>> start(Receiver queue, Duration wait) {
    FutureTask<List<ReceivedMessage>> task = new FutureTask<>(() -> queue.receive(10, wait, LONG));
    Thread.ofVirtual().name("contract-receive").start(task);
    return task;
  }

  /** The answer, while time is turned a second at a time. */
  static List<ReceivedMessage> result(
      FutureTask<List<ReceivedMessage>> task, ClusterFixture fixture) {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          fixture.advance(Duration.ofSeconds(1));
          return task.isDone();
        });
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("the receive failed", e);
    }
  }
}
