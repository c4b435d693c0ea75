package io.cloudkon.core.protocol.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.table.IllegalTransitionException;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntakeMachineTest {
  private static final double NO_WORK = 0;
  private static final IntakeLoad IDLE = new IntakeLoad(4, 4, 0, 0, NO_WORK, 0, NO_WORK, 0, 4, 4);

  private final IntakeMachine intake = new IntakeMachine(IntakeSettings.DEFAULT);
  private Moment now = new Moment(5_000, 1_000_000);

  private static IntakeLoad busy(
      double soonMicros, int begunTasks, double begunMicros, int held, double heldMicros) {
    return new IntakeLoad(4, 0, soonMicros, begunTasks, begunMicros, held, heldMicros, 0, 0, 0);
  }

  private int receive(IntakeLoad load) {
    return intake.receive(load, now);
  }

  @Test
  void idle_worker_receives_and_only_once_at_a_time() {
    assertThat(receive(IDLE)).isBetween(1, 4);
    assertThat(intake.phase()).isEqualTo(IntakePhase.RECEIVING);
    assertThat(receive(IDLE)).isZero();
    intake.arrived(0, 100_000);
    assertThat(receive(IDLE)).isBetween(1, 4);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1_000, 1_000_000, 1e12})
  void idle_worker_never_asks_for_more_than_the_limit(double bundleMicros) {
    intake.sawBundle(bundleMicros);
    IntakeLoad huge = new IntakeLoad(1_000, 1_000, 0, 0, 0, 0, 0, 0, 1_000, 1_000);
    assertThat(receive(huge)).isBetween(1, Limits.BUNDLES_AHEAD);
  }

  @Test
  void idle_worker_takes_one_bundle_if_that_is_work_enough() {
    intake.sawBundle(4_000_000);
    assertThat(receive(IDLE)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void held_bundles_and_those_asked_for_are_four_at_most(int held) {
    intake.sawBundle(10);
    int asked = receive(busy(0, 0, 0, held, held * 10.0));
    assertThat(held + asked).isLessThanOrEqualTo(Math.max(held, Limits.BUNDLES_AHEAD));
    assertThat(asked == 0).isEqualTo(held >= Limits.BUNDLES_AHEAD);
  }

  @Test
  void worker_with_enough_in_hand_does_not_ask() {
    assertThat(receive(busy(1_000, 40, 1_000_000, 0, 0))).isZero();
    assertThat(receive(busy(1_000, 0, 0, 2, 1_000_000))).isZero();
    assertThat(intake.phase()).isEqualTo(IntakePhase.WATCHING);
  }

  @Test
  void worker_whose_slots_are_busy_for_longer_than_a_round_trip_does_not_ask() {
    assertThat(receive(busy(1_000_000, 0, 0, 0, 0))).isZero();
    assertThat(receive(busy(Double.POSITIVE_INFINITY, 0, 0, 0, 0))).isZero();
  }

  @Test
  void worker_that_is_about_to_run_dry_asks_ahead() {
    assertThat(receive(busy(1_000, 0, 0, 0, 0))).isBetween(1, 4);
  }

  @Test
  void worker_below_its_low_mark_asks_for_as_many_bundles_as_reach_the_high_one() {
    intake.sawBundle(30_000);
    double low = 4 * intake.cover();
    assertThat(low).isEqualTo(60_000);
    assertThat(receive(busy(1_000, 10, low, 0, 0))).as("at the low mark").isZero();
    assertThat(receive(busy(1_000, 10, low - 1, 0, 0))).isEqualTo(3);
  }

  @Test
  void worker_whose_bundles_are_as_large_as_its_high_mark_asks_for_one() {
    intake.sawBundle(120_000);
    assertThat(receive(busy(1_000, 10, 59_999, 0, 0))).isEqualTo(1);
  }

  @Test
  void worker_that_does_not_know_how_long_its_work_takes_does_not_ask_ahead() {
    assertThat(receive(busy(0, 4, Double.NaN, 1, Double.NaN))).isZero();
  }

  @Test
  void slow_queue_is_covered_by_more_look_ahead() {
    intake.sawBundle(10_000);
    IntakeLoad some = busy(1_000, 10, 100_000, 0, 0);
    assertThat(receive(some)).isZero();
    for (int i = 0; i < 30; i++) {
      assertThat(receive(IDLE)).isPositive();
      intake.arrived(1, 100_000);
    }
    assertThat(receive(some)).isPositive();
  }

  @Test
  void empty_receives_teach_nothing_about_the_round_trip() {
    for (int i = 0; i < 30; i++) {
      assertThat(receive(IDLE)).isPositive();
      intake.arrived(0, 20_000_000);
    }
    assertThat(receive(busy(1_000, 10, 100_000, 0, 0))).isZero();
  }

  @Test
  void receives_that_waited_for_a_message_teach_nothing_about_the_round_trip() {
    double before = intake.cover();
    for (int i = 0; i < 3; i++) {
      assertThat(receive(IDLE)).isPositive();
      intake.arrived(1, -1);
    }
    assertThat(intake.cover()).isEqualTo(before);
  }

  @Test
  void failed_receives_are_waited_out_longer_each_time_up_to_a_limit() {
    long wait = 200;
    for (int i = 0; i < 9; i++) {
      assertThat(receive(IDLE)).isPositive();
      intake.failed(now);
      now = now.plus(wait - 1);
      assertThat(receive(IDLE)).isZero();
      assertThat(intake.phase()).isEqualTo(IntakePhase.BACKING_OFF);
      now = now.plus(1);
      wait = Math.min(6_400, wait * 2);
    }
    assertThat(receive(IDLE)).isPositive();
    intake.arrived(0, 0);
    assertThat(receive(IDLE)).isPositive();
    intake.failed(now);
    now = now.plus(200);
    assertThat(receive(IDLE)).isPositive();
  }

  @Test
  void drained_intake_receives_nothing_more() {
    intake.drain();
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPED);
    assertThat(receive(IDLE)).isZero();
    intake.drain();
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPED);
  }

  @Test
  void receive_under_way_ends_before_the_intake_is_stopped() {
    assertThat(receive(IDLE)).isPositive();
    intake.drain();
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPING);
    assertThat(receive(IDLE)).isZero();
    intake.arrived(2, 1_000);
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPED);
  }

  @Test
  void receive_that_fails_during_the_drain_stops_the_intake() {
    assertThat(receive(IDLE)).isPositive();
    intake.drain();
    intake.failed(now);
    now = now.plus(60_000);
    assertThat(receive(IDLE)).isZero();
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPED);
  }

  @Test
  void drain_during_a_back_off_stops_at_once() {
    assertThat(receive(IDLE)).isPositive();
    intake.failed(now);
    intake.drain();
    assertThat(intake.phase()).isEqualTo(IntakePhase.STOPPED);
  }

  @Test
  void answer_to_no_receive_is_refused() {
    assertThatThrownBy(() -> intake.arrived(1, 1)).isInstanceOf(IllegalTransitionException.class);
    assertThatThrownBy(() -> intake.failed(now)).isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void held_bundle_is_begun_when_a_slot_is_free_for_it() {
    assertThat(intake.begin(new IntakeLoad(4, 1, 0, 0, 0, 1, 100, 0, 1, 1))).isTrue();
    assertThat(intake.begin(new IntakeLoad(4, 1, 0, 1, 100, 1, 100, 0, 1, 1))).isTrue();
    assertThat(intake.begin(new IntakeLoad(4, 1, 0, 1, 1e6, 1, 100, 0, 1, 1))).isFalse();
    assertThat(intake.begin(new IntakeLoad(4, 1, 0, 0, 0, 0, 0, 0, 1, 1))).isFalse();
  }

  @Test
  void held_bundle_is_begun_just_before_a_slot_is_free() {
    assertThat(intake.claimCover()).isEqualTo(7_500);
    assertThat(intake.begin(busy(7_000, 0, 0, 1, 100))).isTrue();
    assertThat(intake.begin(busy(8_000, 0, 0, 1, 100))).isFalse();
    assertThat(intake.begin(busy(Double.POSITIVE_INFINITY, 0, 0, 1, 100))).isFalse();
    for (int i = 0; i < 30; i++) {
      intake.claimTook(50_000);
    }
    assertThat(intake.begin(busy(40_000, 0, 0, 1, 100))).isTrue();
  }

  @Test
  void held_bundle_is_begun_for_every_slot_that_will_be_free_however_long_its_tasks_are() {
    double long_ = 10_000_000;
    assertThat(intake.begin(new IntakeLoad(4, 0, 1, 2, 2 * long_, 1, long_, 1, 2, 2))).isFalse();
    assertThat(intake.begin(new IntakeLoad(4, 0, 1, 2, 2 * long_, 1, long_, 1, 3, 3))).isTrue();
  }

  @Test
  void worker_asks_for_a_task_for_every_slot_that_will_be_free_however_long_its_tasks_are() {
    intake.sawBundle(10_000_000);
    double long_ = 10_000_000;
    assertThat(receive(new IntakeLoad(4, 0, 1, 0, 0, 1, long_, 1, 0, 1))).isZero();
    assertThat(receive(new IntakeLoad(4, 0, 1, 0, 0, 1, long_, 1, 0, 2))).isEqualTo(1);
    assertThat(intake.watching()).isFalse();
  }

  @Test
  void work_is_stuck_when_every_slot_is_busy_for_long_and_it_has_waited_its_target() {
    IntakeLoad stuck = busy(10_000_000, 3, 100, 1, 100);
    assertThat(intake.stuck(stuck, 249)).isFalse();
    assertThat(intake.stuck(stuck, 250)).isTrue();
    assertThat(intake.stuck(busy(250_000, 3, 100, 1, 100), 9_999)).isFalse();
    assertThat(intake.stuck(busy(Double.POSITIVE_INFINITY, 3, 100, 1, 100), 250)).isTrue();
    assertThat(intake.stuck(new IntakeLoad(4, 1, 0, 3, 100, 1, 100, 0, 1, 1), 9_999)).isFalse();
  }

  @Test
  void intake_defaults_are_250_and_200_milliseconds() {
    assertThat(IntakeSettings.DEFAULT).isEqualTo(new IntakeSettings(250, 200));
  }
}
