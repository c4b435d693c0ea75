package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect.Granted;
import io.cloudkon.core.protocol.claim.ClaimEffect.GrantedLosing;
import io.cloudkon.core.protocol.claim.ClaimEffect.SawDone;
import io.cloudkon.core.protocol.claim.ClaimEffect.SawOther;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways in, and what bars them. */
class ClaimAcquireTest {

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void absent_claim_is_granted(Consistency mode) {
    ClaimBench bench = new ClaimBench(mode).granted();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LEASED);
    assertThat(bench.machine.attempt()).isEqualTo(1);
    assertThat(bench.machine.valid(bench.now)).isTrue();
    assertThat(bench.item().leaseEnd()).isEqualTo(bench.now.service() + 15_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void released_claim_is_granted_with_what_was_recorded(Consistency mode) {
    ClaimBench bench = new ClaimBench(mode);
    bench.item = bench.others(ClaimState.RELEASED, bench.now.service() + 10_000);
    bench.granted();
    assertThat(bench.news).singleElement().isInstanceOf(Granted.class);
    assertThat(bench.item().done()).isEqualTo(Positions.of(0));
    assertThat(bench.item().attempt()).isEqualTo(2);
    assertThat(bench.item().seq()).isZero();
  }

  @Test
  void expired_claim_is_taken_over_in_exactly_once() {
    ClaimBench bench = ClaimBench.exactlyOnce();
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() - 2_001);
    bench.granted();
    assertThat(bench.news).singleElement().isInstanceOf(Granted.class);
    assertThat(bench.item().owner()).isEqualTo("me");
    assertThat(bench.item().done()).isEqualTo(Positions.of(0));
  }

  @Test
  void expired_claim_is_settled_in_at_most_once_and_never_run() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() - 2_001);
    bench.acquire(0, 1, 2);
    assertThat(bench.acquisition().mode()).isEqualTo(Acquisition.Mode.FRESH);
    bench.answer();
    assertThat(bench.acquisition().mode()).isEqualTo(Acquisition.Mode.LOSING);
    assertThat(bench.acquisition().expectedAttempt()).isEqualTo(1);
    bench.answer();
    assertThat(bench.news).containsExactly(new GrantedLosing(bench.item()));
    assertThat(bench.item().state()).isEqualTo(ClaimState.LOSING);
    assertThat(bench.item().started()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void losing_claim_whose_owner_died_too_is_taken() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LOSING, bench.now.service() - 2_001);
    bench.acquire();
    bench.answer();
    bench.answer();
    assertThat(bench.news).singleElement().isInstanceOf(GrantedLosing.class);
    assertThat(bench.item().attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void lease_that_ended_less_than_the_margin_ago_is_respected(Consistency mode) {
    ClaimBench bench = new ClaimBench(mode);
    long end = bench.now.service() - 2_000;
    bench.item = bench.others(ClaimState.LEASED, end);
    bench.granted();
    assertThat(bench.news).containsExactly(new SawOther(end + 2_000));
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.REFUSED);
    assertThat(bench.item().owner()).isEqualTo("other");
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void done_claim_is_left_alone(Consistency mode) {
    ClaimBench bench = new ClaimBench(mode);
    bench.item = bench.others(ClaimState.DONE, 0);
    bench.granted();
    assertThat(bench.news).containsExactly(new SawDone());
    assertThat(bench.item().state()).isEqualTo(ClaimState.DONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void acquisition_whose_answer_was_lost_is_recognized_by_its_nonce(Consistency mode) {
    ClaimBench bench = new ClaimBench(mode).acquire(0);
    bench.answerLost();
    bench.later(300);
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
    assertThat(bench.item().attempt()).isEqualTo(1);
  }

  @Test
  void lease_of_an_acquisition_whose_answer_was_lost_counts_from_the_first_try() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    bench.answerLost();
    bench.later(6_000);
    bench.answer();
    assertThat(bench.machine.valid(bench.now.plus(6_999))).isTrue();
    assertThat(bench.machine.valid(bench.now.plus(7_000))).isFalse();
  }

  @Test
  void acquisition_that_never_arrived_is_tried_again() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    bench.failed();
    bench.later(500);
    bench.failed();
    bench.answer();
    assertThat(bench.news).singleElement().isInstanceOf(Granted.class);
  }

  @Test
  void settling_whose_answer_was_lost_is_recognized() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.answer();
    bench.answerLost();
    bench.later(300);
    bench.answer();
    assertThat(bench.news).containsExactly(new GrantedLosing(bench.item()));
    assertThat(bench.item().attempt()).isEqualTo(2);
    assertThat(bench.machine.valid(bench.now)).isTrue();
  }

  @Test
  void settling_after_a_long_outage_is_not_over_before_it_began() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.failed();
    bench.later(20_000);
    bench.answer();
    bench.answerLost();
    bench.answer();
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LOSING);
    assertThat(bench.machine.valid(bench.now)).isTrue();
  }

  @Test
  void rival_that_settles_first_is_respected() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.answer();
    Acquisition asked = bench.acquisition();
    Acquisition rival =
        new Acquisition(
            asked.id(),
            Acquisition.Mode.LOSING,
            "rival",
            "n2",
            asked.leaseEnd(),
            asked.expiredBefore(),
            1,
            Positions.none(),
            0);
    bench.item = ClaimRules.acquire(bench.item, rival).orElseThrow();
    bench.answer();
    assertThat(bench.news).containsExactly(new SawOther(asked.leaseEnd() + 2_000));
  }

  @Test
  void claim_that_its_expired_owner_releases_at_last_is_granted_to_run() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.answer();
    bench.item = bench.others(ClaimState.RELEASED, 0);
    bench.answer();
    assertThat(bench.acquisition().mode()).isEqualTo(Acquisition.Mode.FRESH);
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LEASED);
  }

  @Test
  void released_claim_that_is_taken_with_a_lost_answer_is_granted_to_run() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.answer();
    bench.item = bench.others(ClaimState.RELEASED, 0);
    bench.answer();
    bench.answerLost();
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
  }

  @Test
  void claim_that_was_removed_meanwhile_is_left_to_the_next_receive() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.LEASED, 0);
    bench.acquire();
    bench.answer();
    bench.item = null;
    bench.answer();
    assertThat(bench.news).containsExactly(new SawOther(bench.now.service()));
  }

  @Test
  void first_starts_are_recorded_with_the_acquisition() {
    ClaimBench bench = ClaimBench.atMostOnce().granted(0, 1);
    assertThat(bench.item().started()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void first_starts_are_not_recorded_where_the_item_has_some() {
    ClaimBench bench = ClaimBench.atMostOnce();
    bench.item = bench.others(ClaimState.RELEASED, 0);
    bench.granted(2, 3);
    assertThat(bench.item().started()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void answer_that_comes_after_most_of_the_lease_must_be_confirmed_first() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    Acquisition asked = bench.acquisition();
    bench.item = ClaimRules.acquire(null, asked).orElseThrow();
    bench.later(13_000);
    bench.calls.clear();
    bench.take(bench.machine.acquired(bench.item(), bench.now));
    assertThat(bench.news).isEmpty();
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.CONFIRMING);
    assertThat(bench.machine.valid(bench.now)).isFalse();
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
    assertThat(bench.machine.valid(bench.now.plus(12_999))).isTrue();
  }

  @Test
  void confirmation_whose_answer_comes_after_most_of_the_lease_is_confirmed_again() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    bench.answerLost();
    bench.later(14_000);
    bench.answer();
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.CONFIRMING);
    bench.later(13_000);

    bench.answer();

    assertThat(bench.news).as("a lease that may be over").isEmpty();
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.CONFIRMING);
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
  }

  @Test
  void late_grant_that_somebody_else_took_meanwhile_is_lost() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    bench.answerLost();
    bench.later(14_000);
    bench.answer();
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.CONFIRMING);
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();
    assertThat(bench.news).containsExactly(new ClaimEffect.Lost());
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LOST);
  }

  @Test
  void confirmation_whose_answer_is_lost_is_tried_again() {
    ClaimBench bench = ClaimBench.exactlyOnce().acquire();
    bench.answerLost();
    bench.later(14_000);
    bench.answer();
    bench.answerLost();
    bench.answer();
    assertThat(bench.news).containsExactly(new Granted(bench.item()));
    assertThat(bench.item().seq()).isEqualTo(2);
  }
}
