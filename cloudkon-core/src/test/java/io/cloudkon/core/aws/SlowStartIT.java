package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.testing.SdkSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start against services that let the first requests wait, as on a machine that is very busy. */
final class SlowStartIT {
  private static final String QUEUE = "slow";

  /** Short, as each lost try takes that long; patient, as this machine may be busy too. */
  private static final StartRead READ =
      new StartRead(Duration.ofMillis(500), Duration.ofSeconds(60), System::nanoTime);

  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;
  private int answersFrom;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
    threads.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    if (asked.merge(operation + body, 1, Integer::sum) < answersFrom) {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    String json =
        operation.endsWith("GetQueueUrl") ? "{\"QueueUrl\":\"http://localhost/1/slow\"}" : "{}";
    exchange.sendResponseHeaders(200, json.length());
    exchange.getResponseBody().write(json.getBytes(UTF_8));
    exchange.close();
  }

  private AwsCloud connect(int port) {
    SdkSettings.apply(
        Map.of(
            "AWS_ENDPOINT_URL", "http://127.0.0.1:" + port,
            "AWS_REGION", "us-east-1",
            "AWS_ACCESS_KEY_ID", "test",
            "AWS_SECRET_ACCESS_KEY", "test"));
    return AwsCloud.connect(Set.of(), null, new SystemTime(), HttpDecorator.NONE);
  }

  @Test
  void services_that_answer_at_the_third_try_are_there() {
    answersFrom = 3;
    try (AwsCloud cloud = connect(server.getAddress().getPort())) {
      cloud.probe(QUEUE, READ);
    }

    assertThat(asked)
        .hasSize(3)
        .allSatisfy((_, times) -> assertThat(times).isGreaterThanOrEqualTo(3));
  }

  @Test
  void services_that_stay_silent_are_given_up_and_named() {
    answersFrom = Integer.MAX_VALUE;
    StartRead two = new StartRead(Duration.ofMillis(500), Duration.ofSeconds(1), System::nanoTime);
    try (AwsCloud cloud = connect(server.getAddress().getPort())) {
      assertThatThrownBy(() -> cloud.probe(QUEUE, two))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("sqs.GetQueueUrl on queue 'slow' got no answer")
          .hasMessageContaining("check AWS_ENDPOINT_URL");
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void services_where_nobody_listens_are_not_waited_for() {
    int port = server.getAddress().getPort();
    server.stop(0);
    StartRead endless = new StartRead(Duration.ofMinutes(10), Duration.ofDays(1), System::nanoTime);
    try (AwsCloud cloud = connect(port)) {
      assertThatThrownBy(() -> cloud.probe(QUEUE, endless))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("Connection refused");
    }
  }
}
