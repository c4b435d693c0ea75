package io.cloudkon.local;

import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import com.amazonaws.services.dynamodbv2.local.shared.access.sqlite.SQLiteLibraryLoader;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local in memory, with one database for all regions.
 *
 * <p>DynamoDB Local's own main class listens on every address and reports its starts to AWS. This
 * class does neither: it puts the request handler into a server bound to 127.0.0.1 and never sets
 * up telemetry.
 */
final class DynamoDbEmulator implements AutoCloseable {
  /**
   * Longer than any client keeps an unused connection, so that no connection is closed during a
   * request.
   */
  private static final Duration IDLE = Duration.ofMinutes(15);

  private final Server server;
  private final int port;

  private DynamoDbEmulator(Server server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts it on a port that is already bound.
   *
   * @param scratch a private folder into which the native SQLite library is unpacked; not needed
   *     after this returns
   */
  static DynamoDbEmulator start(
      ServerSocketChannel listener, Access access, EmulatedLatency latency, Path scratch) {
    System.setProperty("org.sqlite.tmpdir", scratch.toString());
    try {
      SQLiteLibraryLoader.initialize();
      LocalDynamoDBServerHandler handler =
          new LocalDynamoDBServerHandler(
              new LocalDynamoDBRequestHandler(0, true, null, true, false), null);
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setIdleTimeout(IDLE.toMillis());
      connector.open(listener);
      server.addConnector(connector);
      server.setHandler(new DynamoDbGate(access, latency, handler));
      server.start();
      return new DynamoDbEmulator(server, connector.getLocalPort());
    } catch (Exception e) {
      throw new LocalException("DynamoDB Local does not start: " + e, e);
    }
  }

  int port() {
    return port;
  }

  /**
   * Stops answering. The data is freed when the JVM ends, because closing the database properly
   * takes 2 s.
   */
  @Override
  public void close() throws Exception {
    server.stop();
  }
}
