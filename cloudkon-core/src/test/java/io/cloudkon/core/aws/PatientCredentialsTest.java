package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;

class PatientCredentialsTest {
  private static final AwsCredentials VALID = AwsBasicCredentials.create("id", "secret");
  private static final AwsCredentials OTHER = AwsBasicCredentials.create("other", "secret");
  private static final Duration LONG = Duration.ofSeconds(20);

  /** As a call to STS whose thread the limit of the outer call would interrupt. */
  private static AwsCredentials silent(CountDownLatch answers) {
    try {
      answers.await();
    } catch (InterruptedException e) {
      throw AbortedException.create("interrupted", e);
    }
    return VALID;
  }

  private static AwsCredentials until(Instant end) {
    return AwsSessionCredentials.builder()
        .accessKeyId("id")
        .secretAccessKey("secret")
        .sessionToken("token")
        .expirationTime(end)
        .build();
  }

  private static AwsCredentials once(AwsCredentials found, AtomicInteger requests) {
    if (requests.getAndIncrement() > 0) {
      throw new IllegalStateException("no connection");
    }
    return found;
  }

  @Test
  void source_that_does_not_answer_is_a_failure_and_no_interrupt() {
    CountDownLatch answers = new CountDownLatch(1);
    AwsCredentialsProvider credentials =
        new PatientCredentials(
            () -> silent(answers), Duration.ofMillis(20), Duration.ZERO, Duration.ZERO);

    assertThatThrownBy(credentials::resolveCredentials)
        .isInstanceOf(SdkClientException.class)
        .isNotInstanceOf(AbortedException.class)
        .hasMessageContaining("Unable to load credentials");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    answers.countDown();
  }

  @Test
  void last_credentials_serve_while_they_are_valid() {
    AwsCredentials brief = until(Instant.now().plusSeconds(3600));
    AtomicInteger requests = new AtomicInteger();
    AwsCredentialsProvider credentials =
        new PatientCredentials(() -> once(brief, requests), LONG, Duration.ZERO, Duration.ZERO);

    assertThat(credentials.resolveCredentials()).isEqualTo(brief);
    assertThat(credentials.resolveCredentials()).isEqualTo(brief);
    assertThat(requests).hasValue(2);
  }

  @Test
  void expired_ones_do_not_serve() {
    AwsCredentials expired = until(Instant.now().minusSeconds(1));
    AtomicInteger requests = new AtomicInteger();
    AwsCredentialsProvider credentials =
        new PatientCredentials(() -> once(expired, requests), LONG, Duration.ZERO, Duration.ZERO);

    assertThat(credentials.resolveCredentials()).isEqualTo(expired);
    assertThatThrownBy(credentials::resolveCredentials)
        .isInstanceOf(SdkClientException.class)
        .hasMessageContaining("no connection");
  }

  @Test
  void source_is_asked_once_a_second_however_many_calls_there_are() {
    AtomicInteger requests = new AtomicInteger();
    AwsCredentialsProvider credentials =
        new PatientCredentials(
            () -> {
              requests.incrementAndGet();
              return VALID;
            },
            LONG,
            Duration.ofHours(1),
            Duration.ZERO);

    for (int i = 0; i < 1000; i++) {
      assertThat(credentials.resolveCredentials()).isEqualTo(VALID);
    }
    assertThat(requests).hasValue(1);
  }

  @Test
  void recent_ones_serve_while_the_next_request_is_under_way() {
    AtomicInteger requests = new AtomicInteger();
    AwsCredentialsProvider credentials =
        new PatientCredentials(
            () -> requests.incrementAndGet() == 1 ? VALID : OTHER,
            LONG,
            Duration.ZERO,
            Duration.ofHours(1));
    assertThat(credentials.resolveCredentials()).isEqualTo(VALID);

    assertThat(credentials.resolveCredentials()).as("without waiting").isEqualTo(VALID);
    await().until(() -> credentials.resolveCredentials().equals(OTHER));
  }

  @Test
  void recent_ones_that_expire_within_a_minute_wait_for_the_next_request() {
    AtomicInteger requests = new AtomicInteger();
    AwsCredentialsProvider credentials =
        new PatientCredentials(
            () -> requests.incrementAndGet() == 1 ? until(Instant.now().plusSeconds(50)) : OTHER,
            LONG,
            Duration.ZERO,
            Duration.ofHours(1));

    assertThat(credentials.resolveCredentials()).isNotEqualTo(OTHER);
    assertThat(credentials.resolveCredentials()).isEqualTo(OTHER);
  }
}
