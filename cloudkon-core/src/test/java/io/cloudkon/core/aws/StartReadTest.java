package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.TransientServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

final class StartReadTest {
  private static final Duration TIMEOUT = StartRead.DEFAULT.timeout();

  private final List<Duration> tries = new ArrayList<>();
  private Duration now = Duration.ZERO;

  private final StartRead read =
      new StartRead(TIMEOUT, StartRead.DEFAULT.patience(), () -> now.toNanos());

  private void fail(Duration after, Exception why) {
    now = now.plus(after);
    throw new TransientServiceException("no answer", why);
  }

  private void timeOut(Duration timeout) {
    fail(timeout, ApiCallTimeoutException.create(timeout.toMillis()));
  }

  @Test
  void answer_ends_it() {
    read.make(tries::add);

    assertThat(tries).containsExactly(TIMEOUT);
  }

  @Test
  void silence_is_asked_again_for_20_s_in_all() {
    assertThatThrownBy(() ->
            read.make(timeout -> {
              tries.add(timeout);
              timeOut(timeout.plusMillis(10)); // none ends on the dot
            }))
        .isInstanceOf(TransientServiceException.class)
        .hasRootCauseInstanceOf(ApiCallTimeoutException.class);

    assertThat(tries).hasSize(4);
    assertThat(now).isEqualTo(Duration.ofMillis(20_040));
  }

  @Test
  void answer_after_silence_is_fine() {
    read.make(timeout -> {
      tries.add(timeout);
      if (tries.size() < 3) {
        timeOut(timeout);
      }
    });

    assertThat(tries).hasSize(3);
  }

  @Test
  void address_where_nobody_listens_is_not_asked_again() {
    assertThatThrownBy(() ->
            read.make(timeout -> {
              tries.add(timeout);
              fail(
                  Duration.ZERO,
                  SdkClientException.create("refused", new IOException("Connection refused")));
            }))
        .isInstanceOf(TransientServiceException.class);

    assertThat(tries).hasSize(1);
  }

  @Test
  void refusal_is_not_asked_again() {
    assertThatThrownBy(() ->
            read.make(timeout -> {
              tries.add(timeout);
              throw new CloudKonException("denied");
            }))
        .hasMessage("denied");

    assertThat(tries).hasSize(1);
  }

  @Test
  void interrupt_ends_it() {
    try {
      assertThatThrownBy(() ->
              read.make(timeout -> {
                tries.add(timeout);
                Thread.currentThread().interrupt();
                timeOut(timeout);
              }))
          .isInstanceOf(TransientServiceException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }

    assertThat(tries).hasSize(1);
  }
}
