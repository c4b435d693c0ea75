package io.cloudkon.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Binds ports on 127.0.0.1 only, and connects to them. */
final class Loopback {
  private Loopback() {}

  /** The address of {@code port} on 127.0.0.1, whatever {@code localhost} resolves to. */
  static InetSocketAddress address(int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are always an address", e);
    }
  }

  /**
   * Listens on {@code port}; 0 takes a free one.
   *
   * @throws LocalException if the port is taken or not allowed
   */
  static ServerSocketChannel listen(String service, int port) {
    ServerSocketChannel channel = null;
    try {
      channel = ServerSocketChannel.open();
      channel.bind(address(port), 1024);
      return channel;
    } catch (IOException e) {
      Closing.quietly(channel);
      throw new LocalException(
          "Port %d on 127.0.0.1 cannot be used for %s (%s); choose another one, or 0 for any free one."
              .formatted(port, service, e.getMessage()),
          e);
    }
  }

  /** Connects to {@code port}. Writes are sent at once ({@code TCP_NODELAY}). */
  static SocketChannel connect(int port) throws IOException {
    SocketChannel channel = SocketChannel.open(address(port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }
}
