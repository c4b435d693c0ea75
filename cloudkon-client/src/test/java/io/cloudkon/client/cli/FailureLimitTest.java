package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.error.CloudKonException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureLimitTest {
  private final AtomicLong failures = new AtomicLong();
  private final AtomicInteger cancels = new AtomicInteger();
  private final List<String> said = new ArrayList<>();
  private boolean reachable = true;

  private final FailureLimit limit = new FailureLimit(3, failures::get, this::cancel, said::add);

  private void cancel() {
    cancels.incrementAndGet();
    if (!reachable) {
      throw new CloudKonException("no answer");
    }
  }

  @Test
  void run_is_cancelled_once_the_limit_is_reached() {
    failures.set(2);
    assertThat(limit.look()).isFalse();
    failures.set(4);
    assertThat(limit.look()).isTrue();

    assertThat(cancels).hasValue(1);
    assertThat(said)
        .containsExactly("4 tasks did not succeed (--max-failures 3), so the run is cancelled");
  }

  @Test
  void cancel_that_fails_is_tried_again() {
    failures.set(3);
    reachable = false;
    assertThat(limit.look()).isFalse();
    assertThat(said).isEmpty();

    reachable = true;
    assertThat(limit.look()).isTrue();
    assertThat(said).hasSize(1);
  }
}
