package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * One client's connection and its twin to ElasticMQ, with one virtual thread for each direction.
 */
final class RelayedConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final SocketChannel client;
  private final SocketChannel server;
  private final PendingRequest pending = new PendingRequest();
  private volatile boolean clientGone;

  RelayedConnection(SocketChannel client, SocketChannel server) {
    this.client = client;
    this.server = server;
  }

  /** Relays until either side closes; then calls {@code ended}. */
  void start(Runnable ended) {
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
      while (client.read(buffer.clear()) >= 0) {
        pending.sent(buffer.flip());
        write(server, buffer);
      }
    } catch (IOException e) {
      // either side is gone; which one does not matter here
    }
    clientGone = true;
    if (!pending.isOpenPoll()) {
      close();
    }
  }

  private void passAnswers() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      while (server.read(buffer.clear()) >= 0) {
        buffer.flip();
        boolean first = pending.answered();
        if (!delivered(buffer)) {
          if (first) {
            handBack(buffer.rewind());
          }
          return;
        }
      }
    } catch (IOException e) {
      // either side is gone, and nothing is left that could be handed back
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
    if (clientGone) {
      return false;
    }
    try {
      write(client, answer);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() {
    Closing.quietly(client);
    Closing.quietly(server);
  }
}
