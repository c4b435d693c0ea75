package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.Moment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunAccountTest {
  private final ManualTime time = new ManualTime();
  private final RunAccount account =
      new RunAccount(
          new RunOptions(
              "r",
              Consistency.AT_MOST_ONCE,
              1024,
              2,
              0,
              0,
              BundlerSettings.DEFAULT,
              CompletenessSettings.DEFAULT,
              LeaseSettings.DEFAULT),
          "e",
          time);

  @Test
  void lost_that_comes_after_a_quiet_minute_waits_its_grace_all_the_same() {
    sendOneTask();
    time.advance(Duration.ofSeconds(1));
    emptyReceive(Duration.ofSeconds(20));
    emptyReceive(Duration.ofSeconds(20));

    // Another thread sorts a LOST and has not yet written it, nor told of its receive.
    RunAccount.Sorted sorted = account.sort(batch(TaskStatus.LOST), 0);

    assertThat(sorted.provisional()).hasSize(1);
    assertThat(account.tick()).isEmpty();
    assertThat(account.sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
    assertThat(account.tick()).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void client_that_was_stopped_in_a_receive_has_not_seen_what_came_meanwhile() {
    sendOneTask();
    assertThat(account.sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);
    time.advance(Duration.ofSeconds(1));

    Moment begun = time.now();
    time.advance(Duration.ofHours(1));

    assertThat(account.received(0, begun, Duration.ofSeconds(5))).isEmpty();
    assertThat(account.sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
  }

  @Test
  void machine_that_slept_during_a_receive_has_not_seen_what_came_meanwhile() {
    sendOneTask();
    assertThat(account.sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    emptyReceive(Duration.ofSeconds(12));

    Moment begun = time.now();
    time.suspend(Duration.ofHours(1));
    time.advance(Duration.ofSeconds(4));

    assertThat(account.received(0, begun, Duration.ofSeconds(5))).isEmpty();
    assertThat(account.sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
  }

  @Test
  void error_that_is_no_exception_ends_the_run_as_one_line() {
    account.outcome().failed(new OutOfMemoryError("planted"));
    account.outcome().failed(new IllegalStateException("later"));

    assertThat(account.outcome().over()).isTrue();
    assertThatThrownBy(account.outcome()::await)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("OutOfMemoryError: planted");
  }

  private void sendOneTask() {
    account.lock();
    try {
      assertThat(account.bundle(1)).isZero();
    } finally {
      account.unlock();
    }
    SentBundle bundle = new SentBundle(0, 0, 1, 0, 1, List.of("noop"), 0, 0, 0, 0);
    account.sending(bundle);
    account.sent(bundle);
    assertThat(account.allSent()).isEmpty();
  }

  private void emptyReceive(Duration length) {
    Moment begun = time.now();
    time.advance(length);
    assertThat(account.received(0, begun, Duration.ofSeconds(20))).isEmpty();
  }

  private static ResultBatch batch(TaskStatus status) {
    return new ResultBatch(
        "r",
        "e",
        BundleIds.of("r", "e", 0),
        new ResultBatch.WorkerId("w", 1, 0),
        1,
        "nonce",
        new ResultBatch.BundleStamps(0, 0, 0, 0, 0),
        List.of(TaskResult.notRun(0, "1", status, "", 0)),
        List.of(),
        "");
  }
}
