package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.DeleteMessage;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendLost;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Children: recorded, then sent, then marked; and what a dead owner's successor does with the rest.
 */
class BundleHandOffTest {
  private static final BundleEvent HAND_OFF = new BundleEvent.HandOff();

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void child_is_written_then_sent_then_marked(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(3)).isEqualTo(Positions.of(0, 1, 2));
    bench.on(HAND_OFF);
    assertThat(bench.write().children()).isEqualTo(Map.of(1, new Child(Positions.of(3), false)));
    assertThat(bench.asked()).isEmpty();
    assertThat(bench.takeTasks(3).isEmpty()).isTrue();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(3)));

    bench.finished(0, 1, 2);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0, 1, 2)));
    bench.accepted(0, 1, 2);
    assertThat(bench.calls).isEmpty();
    bench.on(new BundleEvent.ChildAccepted(1));
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1, 2));
    assertThat(bench.write().children()).isEqualTo(Map.of(1, new Child(Positions.of(3), true)));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void half_of_what_waits_goes_to_a_child_and_half_of_the_rest_a_second_later(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(HAND_OFF).answer();
    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(2, 3)));
    assertThat(bench.machine.pendingCount()).isEqualTo(1);

    bench.later(999).on(HAND_OFF);
    assertThat(bench.calls).isEmpty();

    bench.later(1).on(HAND_OFF).answer();
    assertThat(bench.asked()).containsExactly(new SendChild(2, Positions.of(1)));
    assertThat(bench.machine.pendingCount()).isZero();
  }

  @Test
  void at_most_once_takes_back_all_starts_that_have_not_begun() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(HAND_OFF);
    assertThat(bench.write().started()).isEqualTo(Positions.of(0));
  }

  @Test
  void start_that_is_taken_back_is_recorded_anew_before_its_task_starts() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(HAND_OFF);
    assertThat(bench.takeTasks(1).isEmpty()).as("still recorded, and not for long").isTrue();
    bench.answer();
    assertThat(bench.calls).as("not asked for before it was taken back").isEmpty();

    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
    bench.answer();
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(1));
  }

  /** Nothing could start, and nothing was written, until the next heartbeat. */
  @Test
  void within_the_pause_of_a_hand_off_the_recorded_starts_stay_usable() {
    BundleBench bench = BundleBench.atMostOnce(8, "run/e/0");
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(HAND_OFF).answer();
    bench.finished(0);
    assertThat(bench.takeTasks(1).isEmpty()).as("to be recorded anew").isTrue();
    bench.answer();
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(1));

    bench.later(300).on(HAND_OFF);

    assertThat(bench.calls).isEmpty();
    bench.finished(1);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(2));
  }

  @Test
  void starts_of_a_bundle_that_may_have_no_more_children_are_taken_back_at_once() {
    String deepest = "run/e/0" + "/1".repeat(Limits.SPLIT_DEPTH);
    BundleBench bench = BundleBench.atMostOnce(8, deepest);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));

    bench.on(HAND_OFF);

    assertThat(bench.write().started()).isEqualTo(Positions.of(0));
    bench.answer().on(HAND_OFF);
    assertThat(bench.calls).as("nothing is left to be taken back").isEmpty();
    bench.finished(0);
    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    bench.answer();
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(1));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void bundle_of_which_nothing_runs_is_given_back_whole_and_counts_no_attempt(Consistency mode) {
    BundleBench bench = BundleBench.running(mode).on(HAND_OFF);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().releases()).isEqualTo(1);
    assertThat(bench.write().started().isEmpty()).isTrue();
    assertThat(bench.write().children()).isEmpty();
    bench.answer();
    assertThat(bench.asked())
        .containsExactly(new BundleEffect.PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @Test
  void results_on_their_way_are_settled_before_the_rest_is_given_back() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.finished(0).on(HAND_OFF);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    assertThat(bench.calls).isEmpty();
    bench.accepted(0);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void child_that_could_not_be_sent_is_sent_again(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(3)).isEqualTo(Positions.of(0, 1, 2));
    bench.on(HAND_OFF).answer();
    assertThat(bench.asked()).hasSize(1);
    bench.on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
    bench.on(new BundleEvent.ChildFailed(1));
    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(3)));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void child_is_not_sent_past_the_lease(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(3)).isEqualTo(Positions.of(0, 1, 2));
    bench.on(HAND_OFF).answer();
    assertThat(bench.asked()).hasSize(1);
    bench.later(13_000).on(new BundleEvent.ChildFailed(1));
    assertThat(bench.asked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void successor_sends_a_child_that_is_not_known_to_have_been_sent(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(3)).isEqualTo(Positions.of(0, 1, 2));
    bench.on(HAND_OFF).answer();
    BundleBench next = new BundleBench(mode, "n2");
    next.item = bench.item;
    next.later(18_000).begin();
    if (mode == Consistency.AT_MOST_ONCE) {
      next.answer();
    }
    assertThat(next.asked()).contains(new SendChild(1, Positions.of(3)));
    assertThat(next.takeTasks(9))
        .isEqualTo(mode == Consistency.EXACTLY_ONCE ? Positions.of(0, 1, 2) : Positions.none());
  }

  @Test
  void bundle_without_claim_is_not_split() {
    BundleBench bench = BundleBench.running(Consistency.AT_LEAST_ONCE).on(HAND_OFF);
    assertThat(bench.asked()).isEmpty();
    assertThat(bench.machine.pendingCount()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void bundle_with_nothing_waiting_is_not_split(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.on(HAND_OFF);
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void losing_owner_reports_the_started_and_hands_on_the_rest() {
    BundleBench bench = BundleBench.losing();
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.LOSING);
    assertThat(bench.asked()).containsExactly(new SendLost(Positions.of(1)));
    assertThat(bench.write().state()).isEqualTo(ClaimState.LOSING);
    assertThat(bench.write().children()).isEqualTo(Map.of(1, new Child(Positions.of(2, 3), false)));
    assertThat(bench.takeTasks(4).isEmpty()).isTrue();
    bench.accepted(1);
    bench.answer();
    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(2, 3)));
    bench.on(new BundleEvent.ChildAccepted(1));
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1));
    bench.answer();
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
  }

  @Test
  void losing_owner_whose_lost_reports_fail_sends_them_again() {
    BundleBench bench = BundleBench.losing();
    bench.asked();
    bench.on(new BundleEvent.ResultsFailed(Positions.of(1)));
    assertThat(bench.asked()).containsExactly(new SendLost(Positions.of(1)));
  }

  @Test
  void losing_owner_past_its_lease_sends_nothing() {
    BundleBench bench = BundleBench.losing();
    bench.asked();
    bench.later(13_000).on(new BundleEvent.ResultsFailed(Positions.of(1)));
    assertThat(bench.asked()).isEmpty();
    bench.on(new BundleEvent.Tick());
    assertThat(bench.asked()).containsExactly(new BundleEffect.Kill(), new Close(Reason.LOST));
  }

  @Test
  void losing_goes_on_through_a_drain() {
    BundleBench bench = BundleBench.losing().on(new BundleEvent.Drain());
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.LOSING);
    bench.accepted(1);
    bench.answer();
    bench.on(new BundleEvent.ChildAccepted(1));
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void second_successor_repeats_neither_child_nor_recorded_reports() {
    BundleBench bench = BundleBench.losing().accepted(1);
    bench.answer();
    BundleBench next = new BundleBench(Consistency.AT_MOST_ONCE, "n2");
    next.item = bench.item;
    next.later(18_000).begin().answer();
    // The report was not recorded before its owner died, so it is sent again; the child is the same
    // one.
    assertThat(next.asked())
        .containsExactlyInAnyOrder(
            new SendLost(Positions.of(1)), new SendChild(1, Positions.of(2, 3)));
    assertThat(next.calls).isEmpty();
  }
}
