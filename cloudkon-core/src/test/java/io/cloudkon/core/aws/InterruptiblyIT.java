package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InterruptiblyIT {
  private final AwsFixture fixture = new AwsFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poll_that_waits_ends_when_its_thread_is_interrupted(boolean virtual) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread poller =
        builder.start(() -> {
          try {
            var unused =
                fixture
                    .cluster()
                    .requests()
                    .receive(1, Duration.ofSeconds(20), Duration.ofMinutes(1));
          } catch (Throwable e) {
            thrown.set(e);
          }
        });
    await().until(() -> pollIsUnderWay());

    poller.interrupt();

    // the poll itself would go on for 20 s
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(thrown.get()).isInstanceOf(InterruptedException.class));
    assertThat(poller.isInterrupted()).isFalse();
  }

  private boolean pollIsUnderWay() {
    return fixture.cloud().calls().snapshot().stream()
        .anyMatch(calls -> calls.operation().equals("sqs.ReceiveMessage"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poll_of_a_thread_that_is_interrupted_already_is_not_made(boolean virtual)
      throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    builder
        .start(() -> {
          Thread.currentThread().interrupt();
          try {
            var unused =
                fixture
                    .cluster()
                    .requests()
                    .receive(1, Duration.ofSeconds(20), Duration.ofMinutes(1));
          } catch (Throwable e) {
            thrown.set(e);
          }
        })
        .join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }
}
