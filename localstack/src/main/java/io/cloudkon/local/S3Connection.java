package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection to S3Mock, with one virtual thread for each direction. Its first byte
 * starts S3Mock, if nothing did before, and waits with the rest until it answers.
 */
final class S3Connection implements RelayedConnection {
  private final SocketChannel client;
  private final S3Service service;
  private @Nullable SocketChannel server;
  private boolean closed;

  S3Connection(SocketChannel client, S3Service service) {
    this.client = client;
    this.service = service;
  }

  @Override
  public void start(Runnable ended) {
    Thread.ofVirtual()
        .name("s3-relay-requests")
        .start(() -> {
          passRequests();
          ended.run();
        });
  }

  private void passRequests() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    Thread answers = null;
    try {
      if (client.read(buffer) >= 0) {
        SocketChannel target = connected();
        answers = Thread.ofVirtual().name("s3-relay-answers").start(() -> passAnswers(target));
        do {
          RelayedConnection.write(target, buffer.flip());
        } while (client.read(buffer.clear()) >= 0);
        target.shutdownOutput(); // what is under way is still answered
        answers.join();
      }
    } catch (LocalException e) {
      refuse(e);
    } catch (IOException e) {
      // either side is gone; which one does not matter
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private SocketChannel connected() throws IOException {
    SocketChannel channel = Loopback.connect(service.port());
    synchronized (this) {
      server = channel;
      if (!closed) {
        return channel;
      }
    }
    channel.close();
    throw new IOException("closed while S3 was starting");
  }

  private void passAnswers(SocketChannel target) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try {
      while (target.read(buffer.clear()) >= 0) {
        RelayedConnection.write(client, buffer.flip());
      }
    } catch (IOException e) {
      // either side is gone
    } finally {
      close();
    }
  }

  /**
   * Answers as S3 would if it could not serve, and reads on, so that the client sees the answer.
   */
  private void refuse(LocalException failure) {
    try {
      byte[] answer = S3Refusal.of(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
      RelayedConnection.write(client, ByteBuffer.wrap(answer));
      client.shutdownOutput();
      ByteBuffer unread = ByteBuffer.allocate(BUFFER_BYTES);
      while (client.read(unread.clear()) >= 0) {
        // to close before the client has sent everything could cost it the answer
      }
    } catch (IOException e) {
      // the client is gone
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    Closing.quietly(client);
    Closing.quietly(server);
  }
}
