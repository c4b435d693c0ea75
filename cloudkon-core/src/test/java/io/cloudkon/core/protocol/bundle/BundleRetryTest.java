package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BundleRetryTest {
  private static final long FIRST = RetrySettings.DEFAULT.first();

  private static BundleBench retrying(int retries) {
    return new BundleBench(Consistency.EXACTLY_ONCE, "n1", retries, 1).begin();
  }

  @Test
  void failed_task_runs_again_only_when_its_back_off_is_over() {
    BundleBench bench = retrying(2);
    bench.takeTasks(4);
    bench.finished(1, 2, 3).failed(0);

    assertThat(bench.later(FIRST - 1).on(new BundleEvent.Tick()).takeTasks(4)).isEqualTo(none());
    assertThat(bench.later(1).on(new BundleEvent.Tick()).takeTasks(4)).isEqualTo(Positions.of(0));
  }

  @Test
  void back_off_doubles_with_each_try_up_to_its_limit() {
    assertThat(RetrySettings.DEFAULT.after(1)).isEqualTo(500);
    assertThat(RetrySettings.DEFAULT.after(2)).isEqualTo(1_000);
    assertThat(RetrySettings.DEFAULT.after(5)).isEqualTo(8_000);
    assertThat(RetrySettings.DEFAULT.after(8)).isEqualTo(60_000);
    assertThat(RetrySettings.DEFAULT.after(1_000)).isEqualTo(60_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_LEAST_ONCE"})
  void only_the_last_try_is_sent(Consistency mode) {
    BundleBench bench = new BundleBench(mode, "n1", 1, 1).begin();
    bench.takeTasks(4);
    bench.finished(1, 2, 3).failed(0);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(1, 2, 3)));

    bench.accepted(1, 2, 3).later(FIRST).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
    bench.takeTasks(4);
    bench.failed(0);

    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
  }

  @Test
  void bundle_does_not_end_while_a_task_waits_for_its_next_try() {
    BundleBench bench = retrying(1);
    bench.takeTasks(4);
    bench.finished(1, 2, 3).failed(0);
    bench.accepted(1, 2, 3);

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.RUNNING);
    assertThat(bench.machine.pendingCount()).isZero();
  }

  @Test
  void task_without_retries_fails_at_once() {
    BundleBench bench = retrying(0);
    bench.takeTasks(4);
    bench.finished(1, 2, 3).failed(0);

    bench.accepted(1, 2, 3).accepted(0);

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
  }

  @Test
  void drain_gives_back_a_task_that_waits_for_its_next_try() {
    BundleBench bench = retrying(1);
    bench.takeTasks(4);
    bench.finished(1, 2, 3).failed(0);
    bench.on(new BundleEvent.Drain()).accepted(1, 2, 3);

    bench.answer();
    assertThat(bench.asked()).contains(new PutBack(0));
    assertThat(bench.item).isNotNull();
    assertThat(bench.item.done()).isEqualTo(Positions.of(1, 2, 3));
    assertThat(bench.item.releases()).isEqualTo(1);
  }

  @Test
  void task_that_was_tried_is_not_handed_to_somebody_who_would_count_anew() {
    BundleBench bench = retrying(3);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.failed(0).later(FIRST).on(new BundleEvent.Tick());

    bench.on(new BundleEvent.HandOff());
    bench.answer();

    assertThat(bench.asked()).contains(new SendChild(1, Positions.of(2, 3)));
    bench.later(1_000).on(new BundleEvent.HandOff()).answer();
    assertThat(bench.asked()).contains(new SendChild(2, Positions.of(1)));
    bench.later(1_000).on(new BundleEvent.HandOff());
    assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(0));
  }

  private static BundleBench failedThere(int... positions) {
    BundleBench bench = retrying(2);
    bench.takeTasks(4);
    bench.on(new BundleEvent.RetryElsewhere(true)).failed(positions);
    return bench;
  }

  @Test
  void failed_task_goes_to_another_worker_when_its_back_off_is_over() {
    BundleBench bench = failedThere(0);

    assertThat(bench.later(FIRST - 1).on(new BundleEvent.Tick()).asked()).isEmpty();
    bench.later(1).on(new BundleEvent.Tick()).answer();

    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(0), true));
    assertThat(bench.machine.pendingCount()).isZero();
  }

  @Test
  void bundle_ends_when_its_other_tasks_are_recorded_and_the_child_is_sent() {
    BundleBench bench = failedThere(0);
    bench.finished(1, 2, 3).accepted(1, 2, 3).later(FIRST).on(new BundleEvent.Tick()).answer();
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.RUNNING);

    bench.on(new BundleEvent.ChildAccepted(1));

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
  }

  @Test
  void tasks_that_fail_within_a_second_share_a_child() {
    BundleBench bench = failedThere(0);
    bench.later(FIRST).on(new BundleEvent.Tick()).answer();
    bench.on(new BundleEvent.ChildAccepted(1));
    bench.asked();
    bench.failed(1).later(400).failed(2).later(RetryPlace.PAUSE - 401).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();

    bench.later(1).on(new BundleEvent.Tick()).answer();

    assertThat(bench.asked()).containsExactly(new SendChild(2, Positions.of(1, 2), true));
  }

  @Test
  void failed_task_stays_where_there_is_nobody_else() {
    BundleBench bench = failedThere(0);
    bench.on(new BundleEvent.RetryElsewhere(false)).later(FIRST).on(new BundleEvent.Tick());

    assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(0));
  }

  @Test
  void failed_task_stays_where_there_is_no_claim_to_record_its_child() {
    BundleBench bench = new BundleBench(Consistency.AT_LEAST_ONCE, "n1", 1, 1).begin();
    bench.takeTasks(4);
    bench.on(new BundleEvent.RetryElsewhere(true)).failed(0);
    bench.later(FIRST).on(new BundleEvent.Tick());

    assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(0));
  }

  private static Positions none() {
    return Positions.none();
  }
}
