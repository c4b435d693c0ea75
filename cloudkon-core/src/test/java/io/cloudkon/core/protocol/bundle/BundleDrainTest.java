package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.DeleteMessage;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendLost;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.ClaimState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The worker leaves: what runs may finish, what is settled is recorded, the rest is given back. */
class BundleDrainTest {
  private static final BundleEvent DRAIN = new BundleEvent.Drain();

  private static BundleEvent interrupted(Positions notStarted, Positions killed) {
    return new BundleEvent.Interrupted(notStarted, killed);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void held_bundle_is_put_back_at_once(Consistency mode) {
    BundleBench bench = new BundleBench(mode).on(DRAIN);
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
    assertThat(bench.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void draining_bundle_starts_nothing_more(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(DRAIN);
    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    assertThat(bench.machine.pendingCount()).isZero();
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.DRAINING);
  }

  @Test
  void exactly_once_settles_results_and_then_releases_the_rest() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.on(DRAIN).finished(0);
    assertThat(bench.asked()).isEmpty();
    bench.on(interrupted(Positions.none(), Positions.of(1)));
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    assertThat(bench.calls).isEmpty();
    bench.accepted(0);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
    assertThat(bench.write().releases()).isEqualTo(1);
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @Test
  void exactly_once_leaves_killed_tasks_to_run_elsewhere() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.on(DRAIN).on(interrupted(Positions.none(), BundleBench.ALL));
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done().isEmpty()).isTrue();
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void at_most_once_reports_killed_tasks_lost_and_takes_back_starts_that_did_not_happen() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(3)).isEqualTo(Positions.of(0, 1, 2));
    bench.on(DRAIN).finished(0).on(interrupted(Positions.of(2), Positions.of(1)));
    assertThat(bench.asked()).containsExactly(new SendLost(Positions.of(1)));
    bench.accepted(1);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    assertThat(bench.calls).isEmpty();
    bench.accepted(0);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void at_most_once_with_everything_started_ends_instead_of_releasing() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.on(DRAIN).on(interrupted(Positions.none(), BundleBench.ALL));
    bench.on(new BundleEvent.ResultsFailed(BundleBench.ALL));
    assertThat(bench.asked())
        .containsExactly(new SendLost(BundleBench.ALL), new SendLost(BundleBench.ALL));
    bench.accepted(0, 1, 2, 3);
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void at_least_once_puts_back_after_its_results_were_accepted() {
    BundleBench bench = BundleBench.running(Consistency.AT_LEAST_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.on(DRAIN).finished(0, 1);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0, 1)));
    bench.accepted(0, 1);
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void drained_bundle_whose_tasks_all_finish_ends_as_ever(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.on(DRAIN).finished(0, 1, 2, 3);
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
    bench.accepted(0, 1, 2, 3);
    if (mode.claims()) {
      bench.answer();
    }
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void claim_that_is_granted_during_the_drain_is_released_without_a_start(Consistency mode) {
    BundleBench bench = new BundleBench(mode).on(new BundleEvent.Begin(4)).on(DRAIN);
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().started().isEmpty()).isTrue();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void acquisition_without_an_answer_is_cleared_up_before_the_worker_leaves(Consistency mode) {
    BundleBench bench = new BundleBench(mode).on(new BundleEvent.Begin(4)).on(DRAIN);
    // It took effect, and its answer was lost.
    var lost = bench.calls.removeFirst();
    bench.item =
        io.cloudkon.core.protocol.claim.ClaimRules.acquire(
                null, ((io.cloudkon.core.protocol.claim.ClaimEffect.Acquire) lost).acquisition())
            .orElseThrow();
    bench.on(new BundleEvent.AcquireFailed());
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().started().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void released_bundle_is_run_by_the_next_one_without_repetition(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.on(DRAIN).finished(0, 1).accepted(0, 1);
    bench.answer();
    BundleBench next = new BundleBench(mode, "n2");
    next.item = bench.item;
    next.begin();
    Positions first = next.takeTasks(4);
    if (mode == Consistency.AT_MOST_ONCE) {
      // Its starts have to be recorded first.
      assertThat(first.isEmpty()).isTrue();
      next.answer();
      first = next.takeTasks(4);
    }
    assertThat(first).isEqualTo(Positions.of(2, 3));
  }
}
