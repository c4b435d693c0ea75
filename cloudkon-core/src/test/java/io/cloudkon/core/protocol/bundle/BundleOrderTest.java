package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.DeleteMessage;
import io.cloudkon.core.protocol.bundle.BundleEffect.ExtendVisibility;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.ClaimState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results accepted, then the claim DONE, then the message deleted; never otherwise. */
class BundleOrderTest {

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void bundle_ends_in_the_protocols_order(Consistency mode) {
    BundleBench bench = BundleBench.running(mode).runAll();
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
    assertThat(bench.calls).isEmpty();

    bench.accepted(0, 1, 2, 3);
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done()).isEqualTo(BundleBench.ALL);
    assertThat(bench.asked()).isEmpty();

    bench.answer();
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
    bench.on(new BundleEvent.Deleted());
    assertThat(bench.asked()).containsExactly(new Close(Reason.COMPLETE));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
  }

  @Test
  void bundle_without_claim_is_deleted_after_its_results_were_accepted() {
    BundleBench bench = BundleBench.running(Consistency.AT_LEAST_ONCE).runAll();
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
    bench.accepted(0, 1, 2);
    assertThat(bench.asked()).isEmpty();
    bench.accepted(3);
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
    assertThat(bench.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void task_is_recorded_only_after_its_result_was_accepted(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.finished(0, 1).later(5_000).on(new BundleEvent.Tick());
    assertThat(bench.asked())
        .containsExactly(new ExtendVisibility(15_000), new SendResults(Positions.of(0, 1)));
    assertThat(bench.write().done().isEmpty()).isTrue();
    bench.accepted(0);
    bench.answer();
    bench.later(5_000).on(new BundleEvent.Tick());
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void results_that_could_not_be_sent_are_sent_again_and_nothing_follows_before(Consistency mode) {
    BundleBench bench = BundleBench.running(mode).runAll();
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
    for (int i = 0; i < 3; i++) {
      bench.later(300).on(new BundleEvent.ResultsFailed(BundleBench.ALL));
      assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
      assertThat(bench.calls).isEmpty();
    }
    bench.accepted(0, 2);
    bench.on(new BundleEvent.ResultsFailed(Positions.of(1, 3)));
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(1, 3)));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.RUNNING);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void finished_results_wait_a_little_for_their_neighbours(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.finished(0).later(100).finished(1).later(299).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
    bench.later(1).on(new BundleEvent.Tick());
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0, 1)));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void results_that_fill_a_message_do_not_wait(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.on(new BundleEvent.Finished(Positions.of(2), 60 * 1024));
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(2)));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void last_results_do_not_wait(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.finished(0, 1, 2);
    assertThat(bench.asked()).isEmpty();
    bench.finished(3);
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void only_one_send_is_under_way(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
    bench.finished(0).later(400).on(new BundleEvent.Tick());
    assertThat(bench.asked()).hasSize(1);
    bench.finished(1, 2, 3).later(400).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
    bench.accepted(0);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(1, 2, 3)));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void nothing_starts_and_nothing_is_sent_past_the_lease(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.later(13_000);
    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    bench.finished(0);
    assertThat(bench.asked()).isEmpty();
    bench.on(new BundleEvent.Tick());
    assertThat(bench.asked()).containsExactly(new BundleEffect.Kill(), new Close(Reason.LOST));
    assertThat(bench.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void bundle_that_somebody_took_over_is_killed_and_forgotten(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.later(5_000).on(new BundleEvent.Tick());
    assertThat(bench.asked()).containsExactly(new ExtendVisibility(15_000));
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();
    assertThat(bench.asked()).containsExactly(new BundleEffect.Kill(), new Close(Reason.LOST));
    bench.finished(0);
    assertThat(bench.asked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void done_that_fails_is_written_again_and_the_message_stays(Consistency mode) {
    BundleBench bench = BundleBench.running(mode).runAll().accepted(0, 1, 2, 3);
    assertThat(bench.asked()).hasSize(1);
    long seq = bench.write().seq();
    bench.calls.clear();
    bench.on(new BundleEvent.WriteFailed(seq));
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().seq()).isEqualTo(seq + 1);
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void takeover_runs_only_what_is_not_recorded() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.begin();
    assertThat(bench.takeTasks(9)).isEqualTo(Positions.of(1, 2, 3));
    assertThat(bench.machine.attempt()).isEqualTo(2);
  }

  @Test
  void takeover_of_a_bundle_with_everything_recorded_only_ends_it() {
    BundleBench next = new BundleBench(Consistency.EXACTLY_ONCE);
    var old = next.others(ClaimState.LEASED, 0);
    next.item =
        new io.cloudkon.core.protocol.claim.Claim(
            old.id(),
            old.state(),
            old.owner(),
            old.nonce(),
            1,
            3,
            0,
            0,
            old.started(),
            BundleBench.ALL,
            old.children(),
            0);
    next.begin();
    assertThat(next.write().state()).isEqualTo(ClaimState.DONE);
    next.answer();
    assertThat(next.asked()).containsExactly(new DeleteMessage());
  }

  @Test
  void at_most_once_starts_only_what_is_recorded_as_started() {
    BundleBench bench = new BundleBench(Consistency.AT_MOST_ONCE);
    bench.on(new BundleEvent.Begin(2));
    bench.answer();
    assertThat(bench.item != null && bench.item.started().equals(Positions.of(0, 1))).isTrue();
    var out = new java.util.ArrayList<BundleEffect>();
    assertThat(bench.machine.take(9, 2, bench.now, out)).isEqualTo(Positions.of(0, 1));
    assertThat(bench.machine.take(9, 2, bench.now, out).isEmpty()).isTrue();
    assertThat(out).singleElement().isInstanceOf(BundleEffect.CallClaims.class);
  }

  @Test
  void at_most_once_does_not_start_what_it_only_asked_to_record() {
    BundleBench bench = new BundleBench(Consistency.AT_MOST_ONCE);
    bench.on(new BundleEvent.Begin(1));
    bench.answer();
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    assertThat(bench.write().started()).isEqualTo(BundleBench.ALL);
    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    long seq = bench.write().seq();
    bench.calls.clear();
    bench.on(new BundleEvent.WriteFailed(seq));
    assertThat(bench.takeTasks(1).isEmpty()).isTrue();
    bench.answer();
    assertThat(bench.takeTasks(9)).isEqualTo(Positions.of(1, 2, 3));
  }
}
