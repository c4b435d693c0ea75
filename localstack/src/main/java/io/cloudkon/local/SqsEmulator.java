package io.cloudkon.local;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.channels.ServerSocketChannel;
import org.apache.pekko.actor.ActorSystem;
import org.elasticmq.NodeAddress;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** ElasticMQ on a private port, and before it the relay that clients see. */
final class SqsEmulator implements AutoCloseable {
  private static final String ACCOUNT = "000000000000";

  /**
   * Idle connections stay open: whoever opened one closes it, so that none ends under a request.
   * The JVM's shutdown must not wait for open long polls.
   */
  private static final String SETTINGS =
      """
      pekko.loglevel = WARNING
      pekko.stdout-loglevel = OFF
      pekko.http.server.idle-timeout = infinite
      pekko.http.server.max-connections = 8192
      pekko.http.server.backlog = 1024
      pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
      """;

  private final ActorSystem actors;
  private final Relay relay;

  private SqsEmulator(ActorSystem actors, Relay relay) {
    this.actors = actors;
    this.relay = relay;
  }

  /** Starts it behind a port that is already bound. */
  static SqsEmulator start(ServerSocketChannel listener) {
    int port = listener.socket().getLocalPort();
    Config settings = ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load());
    ActorSystem actors = ActorSystem.create("elasticmq", settings);
    SQSRestServer server =
        SQSRestServerBuilder.withActorSystem(actors)
            .withInterface("127.0.0.1")
            .withPort(0)
            .withServerAddress(new NodeAddress("http", "127.0.0.1", port, ""))
            .withSQSLimits(new SqsLimits())
            .withAWSRegion("us-east-1")
            .withAWSAccountId(ACCOUNT)
            .start();
    int inner = server.waitUntilStarted().localAddress().getPort();
    return new SqsEmulator(
        actors,
        Relay.start("sqs", listener, client -> new SqsConnection(client, Loopback.connect(inner))));
  }

  int port() {
    return relay.port();
  }

  @Override
  public void close() {
    relay.close();
    actors.terminate();
  }
}
