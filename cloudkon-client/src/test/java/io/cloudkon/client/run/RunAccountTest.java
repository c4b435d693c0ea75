package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.SlotTimes;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.Moment;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunAccountTest {
  private static final RunOptions OPTIONS =
      new RunOptions(
          "r",
          Consistency.AT_MOST_ONCE,
          1024,
          2,
          0,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT);
  private static final Work HOUR = new Work.Sleep(3_600_000);

  private final ManualTime time = new ManualTime();
  private final RunAccount account = new RunAccount(OPTIONS, "e", time);
  private final RunAccount fair = new RunAccount(OPTIONS.with(Priority.NORMAL), "e", time);

  @Test
  void lost_that_comes_after_a_quiet_minute_waits_its_grace_all_the_same()
      throws InterruptedException {
    sendOneTask();
    time.advance(Duration.ofSeconds(1));
    emptyReceive(Duration.ofSeconds(20));
    emptyReceive(Duration.ofSeconds(20));

    // Another thread sorts a LOST and has not yet written it, nor told of its receive.
    CollectingAccount.Sorted sorted = account.collecting().sort(batch(TaskStatus.LOST), 0);

    assertThat(sorted.provisional()).hasSize(1);
    assertThat(account.collecting().tick()).isEmpty();
    assertThat(account.collecting().sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
    assertThat(account.collecting().tick()).containsExactly(new CompletenessEffect.Complete());
  }

  /** The future of a session's task was never completed, and its place never free again. */
  @Test
  void lost_task_of_a_session_is_told_and_its_bundle_closed_though_more_may_come()
      throws InterruptedException {
    RunOptions openEnded =
        new RunOptions(
            "r",
            Consistency.AT_MOST_ONCE,
            1024,
            2,
            0,
            0,
            BundlerSettings.DEFAULT,
            CompletenessSettings.DEFAULT.forOpenEnd(),
            LeaseSettings.DEFAULT);
    RunAccount session = new RunAccount(openEnded, "e", time);
    assertThat(send(session, List.of("noop"), 0, Double.NaN).sequence()).isZero();
    assertThat(session.collecting().sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(session.collecting().tick()).isEmpty();

    // Another message every two seconds, as the collector reports it.
    for (int i = 0; i < 22; i++) {
      Moment begun = time.now();
      time.advance(Duration.ofSeconds(2));
      session.collecting().brought();
      assertThat(session.collecting().sort(batch(TaskStatus.LOST), 0).duplicates()).isEqualTo(1);
      assertThat(session.collecting().received(1, begun, Duration.ofSeconds(20))).isEmpty();
    }
    Moment begun = time.now();
    time.advance(Duration.ofSeconds(2));

    assertThat(session.collecting().received(1, begun, Duration.ofSeconds(20)))
        .singleElement()
        .isInstanceOf(CompletenessEffect.FinalLost.class);
    assertThat(session.outstanding()).isEmpty();
  }

  @Test
  void client_that_was_stopped_in_a_receive_has_not_seen_what_came_meanwhile()
      throws InterruptedException {
    sendOneTask();
    assertThat(account.collecting().sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);
    time.advance(Duration.ofSeconds(1));

    Moment begun = time.now();
    time.advance(Duration.ofHours(1));

    assertThat(account.collecting().received(0, begun, Duration.ofSeconds(5))).isEmpty();
    assertThat(account.collecting().sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
  }

  @Test
  void machine_that_slept_during_a_receive_has_not_seen_what_came_meanwhile()
      throws InterruptedException {
    sendOneTask();
    assertThat(account.collecting().sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    emptyReceive(Duration.ofSeconds(12));

    Moment begun = time.now();
    time.suspend(Duration.ofHours(1));
    time.advance(Duration.ofSeconds(4));

    assertThat(account.collecting().received(0, begun, Duration.ofSeconds(5))).isEmpty();
    assertThat(account.collecting().sort(batch(TaskStatus.SUCCEEDED), 0).fresh()).hasSize(1);
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

  @Test
  void counts_of_a_resumed_run_hold_once_a_receive_has_brought_nothing()
      throws InterruptedException {
    sendOneTask();
    Map<Integer, SentBundle> outstanding = new HashMap<>();
    account.outstanding().forEach(bundle -> outstanding.put(bundle.sequence(), bundle));
    ResumeState fresh = ResumeState.fresh(OPTIONS, "e");
    ResumeState state =
        new ResumeState(fresh.completeness(), outstanding, new SentJobs(), 1, List.of(), null);
    RunAccount resumed = new RunAccount(OPTIONS, state, time, new RunOutcome());
    byte[] line = "sleep 1h".getBytes(StandardCharsets.UTF_8);
    try (Workload workload =
        Workload.open("-", new ByteArrayInputStream(line), WorkloadFormat.TEXT)) {
      assertThat(account.remaining(workload, SlotTimes.UNKNOWN).counted()).isTrue();
      resumed.collecting().received(10, time.now(), Duration.ofSeconds(20));
      assertThat(resumed.remaining(workload, SlotTimes.UNKNOWN).counted()).isFalse();
      resumed.collecting().received(0, time.now(), Duration.ofSeconds(20));
      assertThat(resumed.remaining(workload, SlotTimes.UNKNOWN).counted()).isTrue();
    }
  }

  @Test
  void client_of_a_fair_cluster_sends_no_more_than_its_share() throws InterruptedException {
    fair.sending().fleet(2, 0, 2, 0);

    assertThat(sendHours(fair, 100)).isEqualTo(3);
    assertThat(fair.sending().priority()).contains(Priority.NORMAL);
    assertThat(account.sending().priority()).isEmpty();
    assertThat(sendHours(account, 100)).isEqualTo(100);
  }

  @Test
  void result_makes_room_for_the_next_bundle() throws InterruptedException {
    fair.sending().fleet(2, 0, 2, 0);
    assertThat(sendHours(fair, 100)).isEqualTo(3);

    var unused = fair.collecting().sort(batch(TaskStatus.SUCCEEDED), 0);

    assertThat(sendHours(fair, 100)).isEqualTo(1);
  }

  @Test
  void task_that_is_provisionally_lost_makes_room_too() throws InterruptedException {
    fair.sending().fleet(2, 0, 2, 0);
    assertThat(sendHours(fair, 100)).isEqualTo(3);

    assertThat(fair.collecting().sort(batch(TaskStatus.LOST), 0).provisional()).hasSize(1);

    assertThat(sendHours(fair, 100)).isEqualTo(1);
  }

  @Test
  void bundles_of_a_former_client_count_as_sent() throws InterruptedException {
    ResumeState state = ResumeState.fresh(OPTIONS, "e");
    for (int i = 0; i < 3; i++) {
      assertThat(state.completeness().bundle(1)).isEqualTo(i);
      state.outstanding().put(i, new SentBundle(i, i, 1, 0, 1, List.of(), 0, 0, 0, 0));
    }
    RunAccount resumed =
        new RunAccount(OPTIONS.with(Priority.NORMAL), state, time, new RunOutcome());
    resumed.sending().fleet(3, 0, 3, 0);
    assertThat(sendHours(resumed, 100)).isZero();

    var unused = resumed.collecting().sort(batch(TaskStatus.SUCCEEDED), 0);

    assertThat(sendHours(resumed, 100)).isPositive();
  }

  /** Sends tasks of an hour until the account wants to wait, and says how many. */
  private int sendHours(RunAccount to, int most) throws InterruptedException {
    int sent = 0;
    while (sent < most && !to.sending().plan(HOUR, () -> 1_000).waits()) {
      send(to, List.of(), 3_600_000_000L, 3_600e6);
      sent++;
    }
    return sent;
  }

  private static SentBundle send(RunAccount to, List<String> keys, long sleeps, double micros)
      throws InterruptedException {
    SentBundle bundle =
        to.sending()
            .make(
                1,
                false,
                micros,
                (sequence, first) ->
                    new SentBundle(sequence, first, 1, 0, 1, keys, sleeps, 0, 0, 0));
    to.sending().sending(bundle);
    to.sending().sent(bundle);
    return bundle;
  }

  private void sendOneTask() throws InterruptedException {
    assertThat(send(account, List.of("noop"), 0, Double.NaN).sequence()).isZero();
    assertThat(account.collecting().allSent()).isEmpty();
  }

  private void emptyReceive(Duration length) {
    Moment begun = time.now();
    time.advance(length);
    assertThat(account.collecting().received(0, begun, Duration.ofSeconds(20))).isEmpty();
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
