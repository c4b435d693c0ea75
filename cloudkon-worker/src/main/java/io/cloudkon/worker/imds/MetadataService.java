package io.cloudkon.worker.imds;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the metadata service of an EC2 instance, by version 2 of its protocol only: a PUT
 * gets a token, and each request carries it. Each request has a time limit. A missing answer is
 * logged once, until there is one again. Thread safe.
 */
public final class MetadataService implements AutoCloseable {
  /** The default time limit; an answer takes a few milliseconds. */
  public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(MetadataService.class);
  private static final String TOKEN_PATH = "/latest/api/token";
  private static final String DATA_PATH = "/latest/meta-data/";
  private static final String TOKEN_TTL = "X-aws-ec2-metadata-token-ttl-seconds";
  private static final String TOKEN = "X-aws-ec2-metadata-token";

  /** The longest lifetime of a token: six hours. A token that the service rejects is renewed. */
  private static final String TTL_SECONDS = "21600";

  /** The maximum size of an answer; no meaningful answer is larger. */
  private static final long MOST_BYTES = 1 << 16;

  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;

  private final String endpoint;
  private final Duration patience;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cloudkon-imds-", 0).factory());
  private final HttpClient http;
  private final AtomicBoolean silent = new AtomicBoolean();
  private volatile @Nullable String token;

  /** Asks nothing yet. */
  public MetadataService(URI endpoint) {
    this(endpoint, DEFAULT_PATIENCE);
  }

  /**
   * Asks nothing yet.
   *
   * @param patience the time limit of one request, including its token
   */
  public MetadataService(URI endpoint, Duration patience) {
    this.endpoint = endpoint.toString().replaceFirst("/+$", "");
    this.patience = patience;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience)
            .executor(threads)
            .build();
  }

  /**
   * Gets the value of a path below {@code /latest/meta-data/}; empty if there is none.
   *
   * @throws IOException if the service does not answer in time, or refuses
   */
  public Optional<String> get(String path) throws IOException, InterruptedException {
    return get(path, patience);
  }

  /** Gets a value with a shorter time limit. */
  Optional<String> get(String path, Duration longest) throws IOException, InterruptedException {
    long end = System.nanoTime() + Math.min(longest.toNanos(), patience.toNanos());
    try {
      Optional<String> found = ask(path, end);
      if (silent.getAndSet(false)) {
        LOG.info("the instance metadata service at {} answers again", endpoint);
      }
      return found;
    } catch (IOException e) {
      if (!silent.getAndSet(true)) {
        LOG.warn(
            "the instance metadata service at {} does not answer ({}): the worker continues, but"
                + " may learn late, or not at all, that its machine is about to be shut down",
            endpoint,
            e.getMessage());
      }
      throw e;
    }
  }

  /** Gets a value that the worker can do without, and logs nothing. */
  public Optional<String> quietly(String path) throws IOException, InterruptedException {
    return ask(path, System.nanoTime() + patience.toNanos());
  }

  private Optional<String> ask(String path, long end) throws IOException, InterruptedException {
    String known = token;
    HttpResponse<String> answer = send(question(path, known == null ? renew(end) : known), end);
    if (answer.statusCode() == UNAUTHORIZED) {
      answer = send(question(path, renew(end)), end);
    }
    return switch (answer.statusCode()) {
      case OK -> Optional.of(answer.body().strip());
      case NOT_FOUND -> Optional.empty();
      default -> throw refused(path, answer);
    };
  }

  private String renew(long end) throws IOException, InterruptedException {
    token = null;
    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(URI.create(endpoint + TOKEN_PATH))
                .header(TOKEN_TTL, TTL_SECONDS)
                .PUT(BodyPublishers.noBody())
                .build(),
            end);
    if (answer.statusCode() != OK) {
      throw refused(TOKEN_PATH, answer);
    }
    String fresh = answer.body().strip();
    token = fresh;
    return fresh;
  }

  private HttpRequest question(String path, String under) throws IOException {
    try {
      return HttpRequest.newBuilder(URI.create(endpoint + DATA_PATH + path))
          .header(TOKEN, under)
          .GET()
          .build();
    } catch (IllegalArgumentException e) {
      token = null;
      throw new IOException("its token is invalid", e);
    }
  }

  private static IOException refused(String path, HttpResponse<String> answer) {
    return new IOException("%s: status %d".formatted(path, answer.statusCode()));
  }

  /** Limits the whole answer: a request's own timeout would cover only the first line. */
  private HttpResponse<String> send(HttpRequest request, long end)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer in time");
    } catch (ExecutionException e) {
      String why = e.getCause() == null ? e.toString() : e.getCause().toString();
      throw new IOException(why, e);
    } finally {
      boolean unused = answer.cancel(true);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    threads.shutdownNow();
  }
}
