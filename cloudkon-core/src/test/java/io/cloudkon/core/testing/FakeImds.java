package io.cloudkon.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The instance metadata service (IMDSv2) of a machine that is none, on loopback. It demands a token
 * as the real one does, and is as far away as it is told. Thread safe.
 */
public final class FakeImds implements AutoCloseable {
  /** How it answers. */
  public enum Mood {
    WELL,
    /** Status 503. */
    BUSY,
    /** It takes the question and says nothing. */
    HANGS,
    /** It begins an answer and does not end it. */
    STOPS_HALFWAY,
    /** Status 403, as where the service is switched off for the instance. */
    SWITCHED_OFF,
    /** It does not know the tokens that it gives. */
    FORGETS,
    /** Its tokens cannot be sent back. */
    GIVES_ODD_TOKENS
  }

  private static final String DATA = "/latest/meta-data/";
  private static final int MOST_SECONDS = 21_600;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();
  private final Map<String, String> data = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Mood mood = Mood.WELL;

  /** Starts it, on a free port; it knows nothing yet. */
  public FakeImds() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** What {@code AWS_EC2_METADATA_SERVICE_ENDPOINT} is to say. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** From now on this stands below {@code /latest/meta-data/}. */
  public FakeImds set(String path, String body) {
    data.put(path, body);
    return this;
  }

  /** From now on nothing stands there. */
  public void remove(String path) {
    data.remove(path);
  }

  /** From now on what stands there is refused, with status 503. */
  public FakeImds refuse(String path) {
    refused.add(path);
    return this;
  }

  /** From now on it answers like this. */
  public FakeImds is(Mood now) {
    mood = now;
    return this;
  }

  /** The tokens that it has given are valid no more. */
  public void expireTokens() {
    tokens.clear();
  }

  /** Method and path of all questions so far, in order. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** How often that was asked so far. */
  public long asked(String methodAndPath) {
    return asked.stream().filter(methodAndPath::equals).count();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(exchange.getRequestMethod() + " " + path);
      switch (mood) {
        case WELL, FORGETS, GIVES_ODD_TOKENS -> well(exchange, path);
        case BUSY -> say(exchange, 503, "");
        case SWITCHED_OFF -> say(exchange, 403, "");
        case HANGS -> closed.await();
        case STOPS_HALFWAY -> {
          exchange.sendResponseHeaders(200, 100);
          OutputStream body = exchange.getResponseBody();
          body.write('{');
          body.flush();
          closed.await();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void well(HttpExchange exchange, String path) throws IOException {
    boolean put = exchange.getRequestMethod().equals("PUT");
    if (path.equals("/latest/api/token")) {
      if (put && seconds(exchange) >= 1 && seconds(exchange) <= MOST_SECONDS) {
        String token = UUID.randomUUID().toString();
        if (mood != Mood.FORGETS) {
          tokens.add(token);
        }
        say(exchange, 200, mood == Mood.GIVES_ODD_TOKENS ? "two\nlines" : token);
      } else {
        say(exchange, 400, "");
      }
      return;
    }
    String token = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    if (put || token == null || !tokens.contains(token)) {
      say(exchange, put ? 405 : 401, "");
      return;
    }
    if (refused.contains(path.substring(Math.min(path.length(), DATA.length())))) {
      say(exchange, 503, "");
      return;
    }
    String found = path.startsWith(DATA) ? data.get(path.substring(DATA.length())) : null;
    say(exchange, found == null ? 404 : 200, found == null ? "<html>404</html>" : found);
  }

  private static int seconds(HttpExchange exchange) {
    String ttl = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token-ttl-seconds");
    return ttl == null ? 0 : Integer.parseInt(ttl);
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
