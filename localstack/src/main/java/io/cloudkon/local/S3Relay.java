package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to S3Mock, with one virtual thread for each direction. If S3Mock does not
 * run, starts it and waits until it answers.
 */
final class S3Relay implements RelayedConnection {
  private final SocketChannel client;
  private final ByteBuffer begun;
  private final S3Service service;
  private @Nullable SocketChannel server;
  private boolean closed;

  S3Relay(SocketChannel client, ByteBuffer begun, S3Service service) {
    this.client = client;
    this.begun = begun;
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
    try {
      SocketChannel target = connected();
      Thread answers = Thread.ofVirtual().name("s3-relay-answers").start(() -> passAnswers(target));
      RelayedConnection.write(target, begun);
      while (client.read(buffer.clear()) >= 0) {
        RelayedConnection.write(target, buffer.flip());
      }
      target.shutdownOutput(); // pending requests are still answered
      answers.join();
    } catch (LocalException e) {
      Refused.XML.unavailable(client, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      // one side is gone; which one does not matter
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private SocketChannel connected() throws IOException {
    SocketChannel channel = service.connect();
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
      // one side is gone
    } finally {
      close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    Closing.quietly(client);
    Closing.quietly(server);
  }
}
