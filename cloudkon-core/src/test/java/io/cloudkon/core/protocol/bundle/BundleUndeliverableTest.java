package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendDead;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendFailed;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendLost;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that can go nowhere: the bundle is given back without them, and hidden for a while. */
class BundleUndeliverableTest {
  private static final long HIDDEN = 600_000;

  private static BundleEvent undeliverable(int... positions) {
    return new BundleEvent.Undeliverable(Positions.of(positions), HIDDEN);
  }

  private static BundleBench ranAll(Consistency mode) {
    BundleBench bench = BundleBench.running(mode).runAll();
    assertThat(bench.asked()).containsExactly(new SendResults(BundleBench.ALL));
    return bench;
  }

  private static BundleBench succeeds(BundleBench before, String nonce) {
    BundleBench next = new BundleBench(before.consistency, nonce);
    next.item = before.item;
    next.now = before.now.plus(HIDDEN);
    return next.on(new BundleEvent.Begin(BundleBench.TASKS)).answer();
  }

  @Test
  void exactly_once_releases_without_recording_and_without_counting_an_attempt() {
    BundleBench bench = ranAll(Consistency.EXACTLY_ONCE).on(undeliverable(0, 1, 2, 3));

    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().releases()).isEqualTo(1);
    assertThat(bench.write().done().isEmpty()).isTrue();
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new PutBack(HIDDEN), new Close(Reason.GIVEN_BACK));
    BundleBench next = succeeds(bench, "n2");
    assertThat(next.item.countedAttempts()).isEqualTo(1);
    assertThat(next.takeTasks(4)).isEqualTo(BundleBench.ALL);
  }

  @Test
  void at_least_once_hides_its_message() {
    BundleBench bench = ranAll(Consistency.AT_LEAST_ONCE).on(undeliverable(0, 1, 2, 3));

    assertThat(bench.asked()).containsExactly(new PutBack(HIDDEN), new Close(Reason.GIVEN_BACK));
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void what_was_accepted_before_is_recorded_with_the_release() {
    BundleBench bench = ranAll(Consistency.EXACTLY_ONCE).accepted(0, 2);
    bench.on(undeliverable(1, 3));

    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 2));
    bench.answer();
    assertThat(succeeds(bench, "n2").takeTasks(4)).isEqualTo(Positions.of(1, 3));
  }

  @Test
  void answers_for_other_results_are_waited_for() {
    BundleBench bench = ranAll(Consistency.EXACTLY_ONCE).on(undeliverable(0, 1));
    assertThat(bench.calls).isEmpty();

    bench.on(new BundleEvent.ResultsFailed(Positions.of(2))).on(undeliverable(3));

    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void nothing_more_starts_and_what_runs_may_finish_and_be_told() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.finished(0).later(400).on(new BundleEvent.Tick());
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));

    bench.on(undeliverable(0));
    assertThat(bench.takeTasks(2).isEmpty()).isTrue();
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    assertThat(bench.calls).isEmpty();

    // The client has come back.
    bench.accepted(0).finished(1);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(1)));
    bench.accepted(1);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1));
    bench.answer();
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @Test
  void worker_that_leaves_is_not_kept() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.on(new BundleEvent.Drain()).finished(0, 1).on(undeliverable(0, 1));

    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done().isEmpty()).isTrue();
  }

  @Test
  void run_closed_meanwhile_ends_it_as_ever() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.finished(0).on(undeliverable()).on(new BundleEvent.RunClosed());

    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void at_most_once_leaves_its_claim_to_a_successor_who_reports_what_started_as_lost() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));
    bench.finished(0, 1).later(300).on(new BundleEvent.Tick());
    bench.asked();

    bench.accepted(0).on(undeliverable(1));
    assertThat(bench.write().state()).isEqualTo(ClaimState.LEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new PutBack(HIDDEN), new Close(Reason.GIVEN_BACK));

    BundleBench next = succeeds(bench, "n2").answer();
    assertThat(next.machine.phase()).isEqualTo(BundlePhase.LOSING);
    assertThat(next.asked()).containsExactly(new SendLost(Positions.of(1)));
    next.answer();
    assertThat(next.asked()).containsExactly(new SendChild(1, Positions.of(2, 3)));
  }

  @Test
  void at_most_once_is_not_closed_by_the_answer_to_an_older_write() {
    BundleBench bench = BundleBench.running(Consistency.AT_MOST_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.finished(0).later(5_000).on(new BundleEvent.Tick());
    assertThat(bench.write().started()).isEqualTo(BundleBench.ALL);

    bench.on(undeliverable(0)).answer();
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.RELEASING);
    assertThat(bench.write().started()).isEqualTo(Positions.of(0));

    bench.answer();
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
  }

  @Test
  void successor_who_can_tell_nobody_either_leaves_it_to_the_next() {
    BundleBench bench = BundleBench.losing();
    assertThat(bench.asked()).contains(new SendLost(Positions.of(1)));
    bench.on(undeliverable(1));
    while (!bench.calls.isEmpty()) {
      bench.answer();
    }

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
    assertThat(bench.asked()).contains(new PutBack(HIDDEN));
    assertThat(bench.item.state()).isEqualTo(ClaimState.LOSING);
    BundleBench next = succeeds(bench, "n2").answer();
    assertThat(next.asked())
        .contains(new SendLost(Positions.of(1)), new SendChild(1, Positions.of(2, 3)));
  }

  @Test
  void bundle_past_its_last_attempt_is_released_and_its_verdict_stays() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item =
        new Claim(
            "run/e/0",
            ClaimState.LEASED,
            "other",
            "n0",
            AttemptSettings.DEFAULT.max(),
            3,
            0,
            0,
            Positions.of(1),
            Positions.none(),
            new TreeMap<>(),
            0);
    bench.begin();
    assertThat(bench.asked()).anyMatch(effect -> effect instanceof SendDead);
    bench.letterAccepted().on(undeliverable(1));
    while (!bench.calls.isEmpty()) {
      bench.answer();
    }

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
    assertThat(bench.item.state()).isEqualTo(ClaimState.RELEASED);
    BundleBench next = succeeds(bench, "n2");
    assertThat(next.letterAccepted().asked())
        .anySatisfy(effect ->
            assertThat(effect)
                .isInstanceOfSatisfying(
                    SendFailed.class,
                    failed -> assertThat(failed.tasks()).isEqualTo(Positions.of(1))));
  }

  @Test
  void task_that_ran_one_by_one_to_its_end_is_no_suspect_afterwards() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item =
        new Claim(
            "run/e/0",
            ClaimState.LEASED,
            "other",
            "n0",
            2,
            3,
            0,
            0,
            Positions.none(),
            Positions.none(),
            new TreeMap<>(),
            0);
    bench.begin();
    assertThat(bench.takeTasks(4).isEmpty()).isTrue();
    bench.answer();
    assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(0));

    bench.finished(0).on(undeliverable(0));

    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().started().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"HELD", "CLAIMING", "ENDING", "RELEASING", "DELETING", "CLOSED"})
  void late_news_changes_nothing(BundlePhase phase) {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    switch (phase) {
      case HELD -> {}
      case CLAIMING -> bench.on(new BundleEvent.Begin(4));
      case ENDING -> bench.begin().runAll().accepted(0, 1, 2, 3);
      case RELEASING -> bench.begin().on(new BundleEvent.Drain());
      case DELETING -> bench.begin().runAll().accepted(0, 1, 2, 3).answer();
      case CLOSED -> bench.on(new BundleEvent.Drain());
      case RUNNING, LOSING, GIVING_UP, DRAINING -> throw new AssertionError(phase);
    }
    bench.asked();

    bench.on(undeliverable());

    assertThat(bench.machine.phase()).isEqualTo(phase);
    assertThat(bench.asked()).isEmpty();
  }
}
