package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import io.cloudkon.core.testing.ManualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** By a service that answers, answers with errors, or has its door shut. */
class OutagesTest {
  /** The status of an answer that waits. */
  private static final int HELD = 599;

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final ManualTime time = new ManualTime();
  private final List<String> said = new ArrayList<>();
  private final Outages outages = new Outages(time::monotonicNanos);
  private HttpServer server;
  private SqsClient sqs;
  private volatile int status = 200;

  @BeforeEach
  void open() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        call -> {
          byte[] body = "{}".getBytes(UTF_8);
          call.getRequestBody().readAllBytes();
          int answer = status;
          if (answer == HELD) {
            held.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          call.sendResponseHeaders(answer, body.length);
          call.getResponseBody().write(body);
          call.close();
        });
    server.setExecutor(Thread::startVirtualThread);
    server.start();
    sqs =
        SqsClient.builder()
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .httpClient(
                new HttpClients(HttpDecorator.NONE)
                    .make(2, Duration.ofSeconds(5), Duration.ofSeconds(5)))
            .overrideConfiguration(overrides -> overrides.addExecutionInterceptor(outages))
            .build();
    outages.tell(said::add);
  }

  @AfterEach
  void close() {
    sqs.close();
    server.stop(0);
  }

  private boolean answers() {
    Throwable failure = catchThrowable(() -> sqs.listQueues());
    assertThat(failure)
        .satisfiesAnyOf(
            f -> assertThat(f).isNull(), f -> assertThat(f).isInstanceOf(SdkException.class));
    return failure == null;
  }

  @Test
  void outage_is_said_once_after_ten_seconds_and_once_when_it_is_over() {
    assertThat(answers()).isTrue();
    status = 500;
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(9));
    assertThat(answers()).isFalse();
    assertThat(said).isEmpty();

    time.advance(Duration.ofSeconds(2));
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(60));
    assertThat(answers()).isFalse();
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("SQS has not answered for 11 s, trying again: ")
        .doesNotContain("Attempt")
        .doesNotContain("\n");

    status = 200;
    assertThat(answers()).isTrue();
    assertThat(answers()).isTrue();
    assertThat(said).hasSize(2).last().isEqualTo("SQS answers again, after 71 s");
  }

  @Test
  void call_from_before_the_end_of_an_outage_begins_no_new_one() throws Exception {
    status = HELD;
    Thread early = Thread.startVirtualThread(this::answers);
    held.await();
    status = 500;
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(10));
    assertThat(answers()).isFalse();
    status = 200;
    assertThat(answers()).isTrue();
    assertThat(said).hasSize(2);

    status = 500;
    release.countDown();
    early.join();

    assertThat(said).hasSize(2);
  }

  @Test
  void call_that_fails_while_others_are_answered_is_no_outage() throws Exception {
    status = HELD;
    Thread slow = Thread.startVirtualThread(this::answers);
    held.await();
    time.advance(Duration.ofSeconds(10));
    status = 200;
    assertThat(answers()).isTrue();

    release.countDown();
    slow.join();
    assertThat(answers()).isTrue();

    assertThat(said).isEmpty();
  }

  @Test
  void short_one_is_not_said_and_a_refusal_is_an_answer() {
    status = 503;
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(9));
    status = 400;
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(60));
    status = 503;
    assertThat(answers()).isFalse();

    assertThat(said).isEmpty();
  }

  @Test
  void service_whose_door_is_shut_does_not_answer() {
    server.stop(0);
    assertThat(answers()).isFalse();
    time.advance(Duration.ofSeconds(10));
    assertThat(answers()).isFalse();

    assertThat(said)
        .singleElement()
        .asString()
        .contains("SQS has not answered for 10 s")
        .contains("refused");
  }
}
