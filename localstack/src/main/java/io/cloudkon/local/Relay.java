package io.cloudkon.local;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens on the port that clients see, and relays each connection that the gate admits to a
 * service.
 */
final class Relay implements AutoCloseable {
  /** Opens the connection for one client, from which {@code begun} was already read. */
  interface Opening {
    RelayedConnection to(SocketChannel client, ByteBuffer begun) throws IOException;
  }

  private final ServerSocketChannel listener;
  private final Gate gate;
  private final Opening opening;
  private final Set<AutoCloseable> connections = ConcurrentHashMap.newKeySet();

  private Relay(ServerSocketChannel listener, Gate gate, Opening opening) {
    this.listener = listener;
    this.gate = gate;
    this.opening = opening;
  }

  /**
   * Relays every connection that {@code listener} accepts, and takes ownership of {@code listener}.
   *
   * @param service the service's name, for the names of threads
   */
  static Relay start(String service, ServerSocketChannel listener, Gate gate, Opening opening) {
    Relay relay = new Relay(listener, gate, opening);
    Thread.ofPlatform().daemon().name(service + "-relay-accept").start(relay::accept);
    return relay;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel client = listener.accept();
        connections.add(client);
        Thread.ofVirtual().name("relay-gate").start(() -> serve(client));
      } catch (IOException e) {
        // the listener was closed, or a client left before it was served
      }
    }
  }

  private void serve(SocketChannel client) {
    boolean relayed = false;
    try {
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      ByteBuffer begun = ByteBuffer.allocate(RelayedConnection.BUFFER_BYTES);
      if (gate.admits(client, begun)) {
        RelayedConnection connection = opening.to(client, begun);
        connections.add(connection);
        connection.start(() -> connections.remove(connection));
        relayed = true;
      }
    } catch (IOException e) {
      // the client or the service is gone
    } finally {
      connections.remove(client);
      if (!relayed) {
        Closing.quietly(client);
      }
    }
  }

  @Override
  public void close() {
    Closing.quietly(listener);
    connections.forEach(Closing::quietly);
  }
}
