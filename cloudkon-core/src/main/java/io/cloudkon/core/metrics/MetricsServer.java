package io.cloudkon.core.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers only {@code GET /metrics}, with eight requests at a time and 10 s for each, so that a
 * client that stops sending in the middle of a request does not hold a thread for longer. Thread
 * safe.
 */
public final class MetricsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);
  private static final String PATH = "/metrics";
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final int THREADS = 8;
  private static final int WAITING = 16;

  private final MetricsAddress address;
  private final HttpServer server;
  private final ExecutorService executor =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofVirtual().name("cloudkon-metrics-", 0).factory());

  private MetricsServer(MetricsAddress address, HttpServer server) {
    this.address = address;
    this.server = server;
  }

  /**
   * Binds the port; requests wait until {@link #serve} is called.
   *
   * @throws UsageException if the port is not available
   */
  public static MetricsServer bind(MetricsAddress wanted) {
    limitRequests();
    InetSocketAddress socket = new InetSocketAddress(wanted.host(), wanted.port());
    if (socket.isUnresolved()) {
      throw new UsageException(
          "--metrics-port %s: host '%s' is unknown; give an address of this machine"
              .formatted(wanted, wanted.host()));
    }
    try {
      HttpServer server = HttpServer.create(socket, WAITING);
      int port = server.getAddress().getPort();
      return new MetricsServer(new MetricsAddress(wanted.host(), port), server);
    } catch (IOException e) {
      throw new UsageException(
          "--metrics-port %s: cannot listen there: %s; give another [HOST:]PORT; port 0 is a free one"
              .formatted(wanted, e.getMessage()),
          e);
    }
  }

  /** Sets the limits of the JDK's server, which are properties; by default it waits forever. */
  private static void limitRequests() {
    for (String limit : new String[] {"maxReqTime", "maxRspTime"}) {
      String property = "sun.net.httpserver." + limit;
      if (System.getProperty(property) == null) {
        System.setProperty(property, "10");
      }
    }
  }

  /** Starts to answer requests, each with a new text. */
  public void serve(Supplier<String> text) {
    server.createContext("/", exchange -> answer(exchange, text));
    server.setExecutor(executor);
    server.start();
  }

  /** The URL with the actual port. */
  public String url() {
    return "http://" + address + PATH;
  }

  private static void answer(HttpExchange exchange, Supplier<String> text) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, 404, "nothing here: see " + PATH + '\n');
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, 405, "GET only\n");
      } else {
        send(exchange, 200, text.get());
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("could not answer a scrape", e);
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", TEXT);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Closes the port at once. */
  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
