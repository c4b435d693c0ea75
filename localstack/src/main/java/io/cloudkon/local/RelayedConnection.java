package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One client's connection and its twin to the service behind a {@link Relay}. */
interface RelayedConnection extends AutoCloseable {
  /** How much is passed on at a time. */
  int BUFFER_BYTES = 64 * 1024;

  /** Relays until either side closes; then calls {@code ended}. Returns at once. */
  void start(Runnable ended);

  /** Ends it, whatever is under way. */
  @Override
  void close();

  /** Writes all of {@code bytes}. */
  static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
