package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.DeleteMessage;
import io.cloudkon.core.protocol.bundle.BundleEffect.ExtendVisibility;
import io.cloudkon.core.protocol.bundle.BundleEffect.Kill;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes from outside at any time, in every phase. */
class BundlePhasesTest {

  /** A bundle in the phase, in exactly-once, but for LOSING. */
  private static BundleBench in(BundlePhase phase) {
    BundleBench bench =
        switch (phase) {
          case HELD -> new BundleBench(Consistency.EXACTLY_ONCE);
          case CLAIMING -> new BundleBench(Consistency.EXACTLY_ONCE).on(new BundleEvent.Begin(4));
          case RUNNING -> runningOne();
          case LOSING -> BundleBench.losing();
          case GIVING_UP -> givingUp();
          case DRAINING -> runningOne().on(new BundleEvent.Drain());
          case ENDING -> ending();
          case RELEASING ->
              BundleBench.running(Consistency.EXACTLY_ONCE).on(new BundleEvent.Drain());
          case DELETING -> ending().answer();
          case CLOSED -> ending().answer().on(new BundleEvent.Deleted());
        };
    assertThat(bench.machine.phase()).isEqualTo(phase);
    bench.effects.clear();
    return bench;
  }

  private static BundleBench runningOne() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    return bench;
  }

  private static BundleBench givingUp() {
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
            Positions.of(0),
            Positions.none(),
            new TreeMap<>(),
            0);
    bench.begin();
    return bench.calls.isEmpty() ? bench : bench.answer();
  }

  private static BundleBench ending() {
    return BundleBench.running(Consistency.EXACTLY_ONCE).runAll().accepted(0, 1, 2, 3);
  }

  @ParameterizedTest
  @CsvSource({
    "HELD, CLOSED, CLAIMING, DELETING, HELD, CLOSED",
    "CLAIMING, CLAIMING, CLAIMING, CLAIMING, CLAIMING, CLAIMING",
    "RUNNING, DRAINING, RUNNING, ENDING, RUNNING, RUNNING",
    "LOSING, LOSING, LOSING, ENDING, LOSING, LOSING",
    "GIVING_UP, GIVING_UP, GIVING_UP, ENDING, GIVING_UP, GIVING_UP",
    "DRAINING, DRAINING, DRAINING, ENDING, DRAINING, DRAINING",
    "ENDING, ENDING, ENDING, ENDING, ENDING, ENDING",
    "RELEASING, RELEASING, RELEASING, RELEASING, RELEASING, RELEASING",
    "DELETING, DELETING, DELETING, DELETING, DELETING, DELETING",
    "CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED",
  })
  void outside_event_leads_where_it_should_from_every_phase(
      BundlePhase phase,
      BundlePhase drained,
      BundlePhase begun,
      BundlePhase runClosed,
      BundlePhase handedOff,
      BundlePhase givenBack) {
    assertThat(in(phase).on(new BundleEvent.Drain()).machine.phase()).isEqualTo(drained);
    assertThat(in(phase).on(new BundleEvent.Begin(4)).machine.phase()).isEqualTo(begun);
    assertThat(in(phase).on(new BundleEvent.RunClosed()).machine.phase()).isEqualTo(runClosed);
    assertThat(in(phase).on(new BundleEvent.HandOff()).machine.phase()).isEqualTo(handedOff);
    assertThat(in(phase).on(new BundleEvent.GiveBack()).machine.phase()).isEqualTo(givenBack);
    assertThat(in(phase).on(new BundleEvent.Tick()).machine.phase()).isEqualTo(phase);
  }

  @ParameterizedTest
  @EnumSource(BundlePhase.class)
  void tick_without_change_asks_for_nothing(BundlePhase phase) {
    BundleBench bench = in(phase);
    bench.calls.clear();
    for (int i = 0; i < 10; i++) {
      bench.later(10).on(new BundleEvent.Tick());
    }
    assertThat(bench.asked()).isEmpty();
    assertThat(bench.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(BundlePhase.class)
  void message_stays_hidden_as_long_as_it_is_in_hand(BundlePhase phase) {
    BundleBench bench = in(phase).later(5_000).on(new BundleEvent.Tick());
    boolean mine = phase != BundlePhase.DELETING && phase != BundlePhase.CLOSED;
    assertThat(bench.asked().contains(new ExtendVisibility(15_000))).isEqualTo(mine);
  }

  @ParameterizedTest
  @EnumSource(BundlePhase.class)
  void late_answers_do_no_harm_in_any_phase(BundlePhase phase) {
    BundleBench bench = in(phase);
    for (BundleEvent late :
        List.of(
            new BundleEvent.WriteFailed(99),
            new BundleEvent.WriteAnswered(99, new ClaimAnswer.Refused(null)),
            new BundleEvent.ChildFailed(7),
            new BundleEvent.ChildAccepted(7),
            new BundleEvent.ResultsFailed(Positions.none()))) {
      bench.on(late);
    }
    assertThat(bench.machine.phase()).isEqualTo(phase);
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void closed_bundle_is_deaf() {
    BundleBench bench = in(BundlePhase.CLOSED);
    bench.finished(0).accepted(0).on(new BundleEvent.Deleted());
    bench
        .on(new BundleEvent.AcquireFailed())
        .on(new BundleEvent.Interrupted(BundleBench.ALL, BundleBench.ALL));
    bench.later(60_000).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void run_closed_while_held_deletes_the_message() {
    assertThat(in(BundlePhase.HELD).on(new BundleEvent.RunClosed()).asked())
        .containsExactly(new DeleteMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"RUNNING", "DRAINING"})
  void run_closed_kills_ends_without_recording_and_deletes(BundlePhase phase) {
    BundleBench bench = in(phase).on(new BundleEvent.RunClosed());
    assertThat(bench.asked()).containsExactly(new Kill());
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done().isEmpty()).isTrue();
    bench.on(new BundleEvent.Interrupted(Positions.none(), Positions.of(0)));
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
  }

  @Test
  void run_closed_while_claiming_ends_what_is_granted_without_a_start() {
    BundleBench bench = in(BundlePhase.CLAIMING).on(new BundleEvent.RunClosed());
    assertThat(bench.asked()).isEmpty();
    bench.answer();
    assertThat(bench.takeTasks(4).isEmpty()).isTrue();
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    bench.answer();
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
  }

  @Test
  void run_closed_while_an_expired_owner_is_succeeded_ends_without_a_child() {
    BundleBench bench = new BundleBench(Consistency.AT_MOST_ONCE);
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.on(new BundleEvent.Begin(4)).on(new BundleEvent.RunClosed());
    bench.answer().answer();
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().children()).isEmpty();
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void run_closed_without_claim_kills_and_deletes() {
    BundleBench bench = BundleBench.running(Consistency.AT_LEAST_ONCE);
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(new BundleEvent.RunClosed());
    assertThat(bench.asked()).containsExactly(new Kill(), new DeleteMessage());
  }

  @Test
  void copy_of_a_done_bundle_is_deleted() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item = bench.others(ClaimState.DONE, 0);
    bench.begin();
    assertThat(bench.asked()).containsExactly(new DeleteMessage());
    assertThat(bench.takeTasks(4).isEmpty()).isTrue();
  }

  @Test
  void copy_of_a_bundle_that_somebody_runs_is_put_back_until_that_lease_is_over() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 9_000);
    bench.begin();
    assertThat(bench.asked()).containsExactly(new PutBack(11_000), new Close(Reason.GIVEN_BACK));
  }

  @Test
  void bundle_given_back_is_visible_at_once() {
    assertThat(in(BundlePhase.HELD).on(new BundleEvent.GiveBack()).asked())
        .containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @Test
  void tasks_interrupted_while_the_bundle_runs_can_run_again_in_exactly_once() {
    BundleBench bench = runningOne();
    bench.on(new BundleEvent.Interrupted(Positions.of(0), Positions.none()));
    assertThat(bench.takeTasks(1)).isEqualTo(Positions.of(0));
    bench.on(new BundleEvent.Interrupted(Positions.none(), Positions.of(0)));
    assertThat(bench.machine.pendingCount()).isEqualTo(4);
  }
}
