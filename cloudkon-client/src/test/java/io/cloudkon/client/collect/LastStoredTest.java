package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LastStoredTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger calls = new AtomicInteger();

  /** Fails so often, each time after 20 s. */
  private void take(boolean used, int failures, RuntimeException why) throws InterruptedException {
    Runnable reads =
        () -> {
          time.advanceMillis(20_000);
          if (calls.incrementAndGet() <= failures) {
            throw why;
          }
        };
    new LastStored(() -> used, reads, time).take();
  }

  private static RefusedException denied() {
    return new RefusedException("s3:ListBucket", "bucket", "b", "HTTP 403", null);
  }

  private static TransientServiceException silence() {
    return new TransientServiceException("no answer", null);
  }

  @Test
  void store_that_fails_for_a_while_is_no_empty_store() throws Exception {
    take(false, 2, silence());

    assertThat(calls).hasValue(3);
  }

  @Test
  void store_that_the_run_has_used_and_that_does_not_answer_is_told() {
    assertThatThrownBy(() -> take(true, 10, silence()))
        .isInstanceOf(TransientServiceException.class);

    assertThat(calls).hasValue(3);
  }

  @Test
  void store_that_the_run_has_never_used_holds_nothing_if_it_does_not_answer() throws Exception {
    take(false, 10, silence());

    assertThat(calls).hasValue(3);
  }

  @Test
  void store_that_a_client_without_use_for_it_may_not_read_is_asked_once() throws Exception {
    take(false, 10, denied());

    assertThat(calls).hasValue(1);
  }

  @Test
  void store_that_the_run_has_used_has_a_minute_for_a_policy() throws Exception {
    take(true, 2, denied());

    assertThat(calls).hasValue(3);
  }
}
