package io.cloudkon.local;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;

/** ElasticMQ behind the relay that clients see. */
final class SqsEmulator implements AutoCloseable {
  private final SqsServer server;
  private final Relay relay;

  private SqsEmulator(SqsServer server, Relay relay) {
    this.server = server;
    this.relay = relay;
  }

  /** Starts ElasticMQ behind a port that is already bound. */
  static SqsEmulator start(ServerSocketChannel listener, Access access, EmulatedLatency latency) {
    SqsServer server = new SqsServer(listener.socket().getLocalPort());
    return new SqsEmulator(
        server,
        Relay.start(
            "sqs",
            listener,
            new Gate(access, Refused.JSON),
            (client, begun) -> new SqsConnection(client, begun, server.connect(), latency)));
  }

  /**
   * Makes it answer at once: the first connections to ElasticMQ take seconds on a busy machine, and
   * clients do not wait that long for an answer.
   *
   * @throws LocalException if ElasticMQ does not answer
   */
  void prepare() {
    try {
      server.prepare();
    } catch (IOException e) {
      throw new LocalException("ElasticMQ does not answer: " + e.getMessage(), e);
    }
  }

  int port() {
    return relay.port();
  }

  @Override
  public void close() {
    relay.close();
    server.close();
  }
}
