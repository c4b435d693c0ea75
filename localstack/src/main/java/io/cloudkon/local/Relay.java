package io.cloudkon.local;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands at the port that clients see, and relays each of their connections to a service. */
final class Relay implements AutoCloseable {
  /** Makes the connection for one client. */
  interface Opening {
    RelayedConnection to(SocketChannel client) throws IOException;
  }

  private final ServerSocketChannel listener;
  private final Opening opening;
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();

  private Relay(ServerSocketChannel listener, Opening opening) {
    this.listener = listener;
    this.opening = opening;
  }

  /**
   * Relays every connection that comes in at {@code listener}, and owns it from now on.
   *
   * @param service its name, for threads
   */
  static Relay start(String service, ServerSocketChannel listener, Opening opening) {
    Relay relay = new Relay(listener, opening);
    Thread.ofPlatform().daemon().name(service + "-relay-accept").start(relay::accept);
    return relay;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void accept() {
    while (listener.isOpen()) {
      SocketChannel client = null;
      try {
        client = listener.accept();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        RelayedConnection connection = opening.to(client);
        connections.add(connection);
        connection.start(() -> connections.remove(connection));
      } catch (IOException e) {
        // the listener was closed, or one client gave up before it was served
        Closing.quietly(client);
      }
    }
  }

  @Override
  public void close() {
    Closing.quietly(listener);
    connections.forEach(RelayedConnection::close);
  }
}
