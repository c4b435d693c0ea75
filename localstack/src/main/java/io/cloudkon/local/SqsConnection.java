package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * A client's connection to ElasticMQ, with one virtual thread for each direction, so that the end
 * of the client is noticed.
 *
 * <p>SQS drops the long poll of a client whose connection is gone. ElasticMQ keeps the poll and
 * answers it with the next messages, which are lost: as long as the poll lasts, a killed worker
 * goes on taking messages, each of which stays hidden for a whole visibility timeout. This class
 * reads such an answer itself and makes its messages visible again (their receive count still
 * includes that receive).
 *
 * <p>Refuses a {@link LargeSend} that is larger than SQS allows.
 */
final class SqsConnection implements RelayedConnection {
  private final SocketChannel client;
  private final ByteBuffer begun;
  private final SocketChannel server;
  private final EmulatedLatency latency;
  private final PendingRequest pending = new PendingRequest();

  SqsConnection(
      SocketChannel client, ByteBuffer begun, SocketChannel server, EmulatedLatency latency) {
    this.client = client;
    this.begun = begun;
    this.server = server;
    this.latency = latency;
  }

  @Override
  public void start(Runnable ended) {
    Thread.ofVirtual().name("sqs-relay-requests").start(this::passRequests);
    Thread.ofVirtual()
        .name("sqs-relay-answers")
        .start(() -> {
          passAnswers();
          ended.run();
        });
  }

  private void passRequests() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      pass(begun);
      while (client.read(buffer.clear()) >= 0) {
        pass(buffer.flip());
      }
    } catch (IOException e) {
      // one side is gone; which one does not matter here
    }
    if (pending.leave()) {
      close();
    }
  }

  /** Passes on a part of a request, or all of one that must be measured first. */
  private void pass(ByteBuffer request) throws IOException {
    Optional<LargeSend> large =
        pending.isOpen() ? Optional.empty() : LargeSend.begunBy(request, client);
    if (large.isEmpty()) {
      send(request);
      return;
    }
    Optional<ByteBuffer> refusal = large.get().refusal();
    if (refusal.isPresent()) {
      RelayedConnection.write(client, refusal.get());
    } else {
      send(large.get().request());
    }
  }

  private void send(ByteBuffer request) throws IOException {
    pending.sent(request);
    RelayedConnection.write(server, request);
  }

  private void passAnswers() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      while (server.read(buffer.clear()) >= 0) {
        buffer.flip();
        if (pending.isOpen()) {
          latency.delay();
        }
        boolean first = pending.answered();
        if (!delivered(buffer)) {
          if (first) {
            handBack(buffer.rewind());
          }
          return;
        }
        if (pending.delivered()) {
          return;
        }
      }
    } catch (IOException e) {
      // one side is gone, and nothing can be handed back
    } finally {
      close();
    }
  }

  private void handBack(ByteBuffer begun) throws IOException {
    Optional<String> queue = pending.polledQueue();
    if (queue.isPresent()) {
      UnreadAnswer.readFrom(server, begun).handBack(queue.get(), server);
    }
  }

  private boolean delivered(ByteBuffer answer) {
    if (pending.isClientGone()) {
      return false;
    }
    try {
      RelayedConnection.write(client, answer);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    Closing.quietly(client);
    Closing.quietly(server);
  }
}
