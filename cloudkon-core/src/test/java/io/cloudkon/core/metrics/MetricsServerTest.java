package io.cloudkon.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
  private final AtomicInteger scrapes = new AtomicInteger();
  private final MetricsServer server = MetricsServer.bind(MetricsAddress.parse("0"));
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void get_of_metrics_answers_each_time_with_a_fresh_text() throws Exception {
    serve();

    assertThat(server.url()).matches("http://127\\.0\\.0\\.1:[1-9][0-9]+/metrics");
    assertThat(get("").body()).isEqualTo("up 1\n");
    HttpResponse<String> second = get("?x=y");
    assertThat(second.body()).isEqualTo("up 2\n");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void other_paths_are_not_found_and_other_methods_not_allowed() throws Exception {
    serve();

    assertThat(get("/more").statusCode()).isEqualTo(404);
    assertThat(get("x").statusCode()).isEqualTo(404);
    assertThat(get("/../").statusCode()).isEqualTo(404);
    HttpResponse<String> post =
        send(
            HttpRequest.newBuilder(URI.create(server.url())).POST(BodyPublishers.ofString("text")));
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.headers().firstValue("Allow")).contains("GET");
    assertThat(scrapes).hasValue(0);
  }

  @Test
  void request_before_the_metrics_are_there_waits_for_them() throws Exception {
    var early = client.sendAsync(request(""), BodyHandlers.ofString());
    serve();

    assertThat(early.get().body()).isEqualTo("up 1\n");
  }

  @Test
  void connections_that_say_nothing_keep_nobody_from_scraping() throws Exception {
    serve();
    URI uri = URI.create(server.url());
    try (Socket first = new Socket(uri.getHost(), uri.getPort());
        Socket second = new Socket(uri.getHost(), uri.getPort());
        Socket third = new Socket(uri.getHost(), uri.getPort())) {
      assertThat(get("").statusCode()).isEqualTo(200);
      assertThat(first.isConnected() && second.isConnected() && third.isConnected()).isTrue();
    }
  }

  @Test
  void taken_port_is_bad_usage_in_one_line() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      MetricsAddress address = new MetricsAddress("127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(() -> MetricsServer.bind(address))
          .isInstanceOf(UsageException.class)
          .hasMessage(
              "--metrics-port %s: cannot listen there: Address already in use;"
                  + " give another [HOST:]PORT; port 0 is a free one",
              address);
    }
  }

  @Test
  void unknown_host_is_bad_usage() {
    assertThatThrownBy(() -> MetricsServer.bind(MetricsAddress.parse("nowhere.invalid:0")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("host 'nowhere.invalid' is unknown");
  }

  @Test
  void closed_server_leaves_neither_port_nor_thread() throws Exception {
    serve();
    get("");
    server.close();

    MetricsAddress same = new MetricsAddress("127.0.0.1", URI.create(server.url()).getPort());
    MetricsServer.bind(same).close();
    await()
        .until(() ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("HTTP-Dispatcher")));
  }

  private void serve() {
    server.serve(() -> "up %d\n".formatted(scrapes.incrementAndGet()));
  }

  private HttpResponse<String> get(String more) throws Exception {
    return client.send(request(more), BodyHandlers.ofString());
  }

  private HttpRequest request(String more) {
    return HttpRequest.newBuilder(URI.create(server.url() + more)).build();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
