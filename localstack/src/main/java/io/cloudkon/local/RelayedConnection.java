package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client's connection and the corresponding one to the service behind a {@link Relay}. */
interface RelayedConnection extends AutoCloseable {
  /** The most bytes that are passed on at a time. */
  int BUFFER_BYTES = 64 * 1024;

  /** Starts relaying until either side closes, and then calls {@code ended}. Returns at once. */
  void start(Runnable ended);

  /** Closes both connections, whatever is in progress. */
  @Override
  void close();

  /** Writes all of {@code bytes}. */
  static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
