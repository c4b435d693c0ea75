package io.cloudkon.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Supplier;

/** S3 by plain HTTP. */
final class S3Calls implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI endpoint;
  private final String authorization;

  S3Calls(int port, AccessKey key) {
    this.authorization = SqsCalls.authorization(key);
    this.endpoint = URI.create("http://127.0.0.1:" + port);
  }

  /** One answer. */
  record Answer(int status, String body) {
    Answer ok() {
      if (status / 100 != 2) {
        throw new AssertionError(status + " " + body);
      }
      return this;
    }
  }

  Answer get(String path) {
    return call("GET", path, BodyPublishers.noBody());
  }

  Answer put(String path, String body) {
    return call("PUT", path, BodyPublishers.ofString(body));
  }

  Answer post(String path, String body) {
    return call("POST", path, BodyPublishers.ofString(body));
  }

  Answer delete(String path) {
    return call("DELETE", path, BodyPublishers.noBody());
  }

  /** Uploads {@code length} bytes as they are read. */
  Answer upload(String path, Supplier<InputStream> bytes, long length) {
    return call(
        "PUT",
        path,
        BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(bytes::get), length));
  }

  /** To be closed by the caller. */
  InputStream download(String path) {
    return send(
            HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(LIMIT)
                .header("Authorization", authorization)
                .build(),
            BodyHandlers.ofInputStream())
        .body();
  }

  private Answer call(String method, String path, BodyPublisher body) {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(LIMIT)
                .header("Content-Type", "application/xml")
                .header("Authorization", authorization)
                .method(method, body)
                .build(),
            BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
