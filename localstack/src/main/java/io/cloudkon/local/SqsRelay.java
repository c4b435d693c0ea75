package io.cloudkon.local;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before ElasticMQ and passes bytes both ways, so that somebody notices when a client goes
 * away.
 *
 * <p>SQS drops the long poll of a client whose connection is gone. ElasticMQ keeps it, and hands
 * the next message to nobody: for as long as the poll would have waited, a killed worker goes on
 * taking messages, and hides each for a whole visibility timeout. The relay takes such an answer
 * itself and makes its messages visible again (their receive count keeps the one receive that
 * nobody saw).
 */
final class SqsRelay implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final InetSocketAddress server;
  private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  private SqsRelay(ServerSocketChannel listener, InetSocketAddress server) {
    this.listener = listener;
    this.server = server;
    this.acceptor = Thread.ofPlatform().daemon().name("sqs-relay-accept").unstarted(this::accept);
  }

  /** Relays every connection that comes in at {@code listener}, and owns it from now on. */
  static SqsRelay start(ServerSocketChannel listener, InetSocketAddress server) {
    SqsRelay relay = new SqsRelay(listener, server);
    relay.acceptor.start();
    return relay;
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  private void accept() {
    while (listener.isOpen()) {
      SocketChannel client = null;
      SocketChannel inner = null;
      try {
        client = listener.accept();
        inner = SocketChannel.open(server);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        inner.setOption(StandardSocketOptions.TCP_NODELAY, true);
        RelayedConnection connection = new RelayedConnection(client, inner);
        connections.add(connection);
        connection.start(() -> connections.remove(connection));
      } catch (IOException e) {
        // the listener was closed, or one client gave up before it was served
        Closing.quietly(client);
        Closing.quietly(inner);
      }
    }
  }

  @Override
  public void close() {
    Closing.quietly(listener);
    connections.forEach(RelayedConnection::close);
  }
}
