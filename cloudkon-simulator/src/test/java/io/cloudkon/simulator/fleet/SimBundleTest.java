package io.cloudkon.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.TestWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimBundleTest {
  private final TestWorld at = new TestWorld(FaultSettings.NONE);

  private SimBundle hand(Tasks tasks) {
    return Hands.with(tasks, at);
  }

  @Test
  void results_are_of_the_tasks_that_are_asked_for_with_their_times() {
    SimBundle hand = hand(Mixed.of(1, 1, 1));
    assertThat(hand.finished(0, 100, 150)).isFalse();
    assertThat(hand.finished(2, 200, 290)).isFalse();
    hand.claimBegun = 10;
    hand.claimed = 20;

    ResultMessage results = hand.results(Positions.of(0, 2), "w1", 4, 3, 1_000);

    assertThat(results.ordinals()).containsExactly(0, 2);
    assertThat(results.statuses()).containsOnly(TaskStatus.SUCCEEDED);
    assertThat(results.started()).containsExactly(100, 200);
    assertThat(results.ended()).containsExactly(150, 290);
    assertThat(results.worker()).isEqualTo("w1");
    assertThat(results.slots()).isEqualTo(4);
    assertThat(results.attempt()).isEqualTo(3);
    assertThat(results.nonce()).isEqualTo("n1");
    assertThat(results.bytes()).isEqualTo(300 + 2 * 64);
    assertThat(results.stamps().sent()).isEqualTo(1_000);
    assertThat(results.stamps().receiveBegun()).isEqualTo(3_000);
    assertThat(results.stamps().received()).isEqualTo(6_000);
    assertThat(results.stamps().claimBegun()).isEqualTo(10);
    assertThat(results.stamps().claimed()).isEqualTo(20);
    assertThat(results.stamps().replyBegun()).isEqualTo(1_000);
  }

  @Test
  void task_fails_as_often_as_it_is_said_to_and_then_succeeds() {
    SimBundle hand = hand(new Mixed(new int[] {1, 1}, 1, 2, -1, 64));

    assertThat(hand.finished(0, 0, 1)).isFalse();
    assertThat(hand.finished(1, 0, 1)).isTrue();
    assertThat(hand.results(Positions.of(1), "w1", 1, 1, 2).statuses())
        .containsExactly(TaskStatus.FAILED);
    assertThat(hand.finished(1, 2, 3)).isTrue();
    assertThat(hand.finished(1, 4, 5)).isFalse();

    ResultMessage results = hand.results(Positions.of(0, 1), "w1", 1, 1, 6);
    assertThat(results.statuses()).containsOnly(TaskStatus.SUCCEEDED);
    assertThat(results.started()).containsExactly(0, 4);
  }

  @Test
  void result_asked_for_before_the_end_of_its_task_breaks_a_promise() {
    SimBundle hand = hand(Mixed.of(1, 1));
    assertThat(hand.finished(0, 0, 1)).isFalse();

    assertThatThrownBy(() -> hand.results(Positions.of(0, 1), "w1", 1, 1, 2))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("task 1");
  }

  @Test
  void tasks_that_did_not_run_have_the_status_that_is_said_and_no_times() {
    SimBundle hand = hand(Mixed.of(1, 1));

    ResultMessage lost = hand.notRun(Positions.of(0, 1), TaskStatus.LOST, "w1", 1, 0, 2);

    assertThat(lost.statuses()).containsOnly(TaskStatus.LOST);
    assertThat(lost.started()).containsOnly(0);
    assertThat(lost.attempt()).as("counted from 1").isEqualTo(1);
  }

  @Test
  void results_are_parted_into_messages_in_order_of_their_positions() {
    int third = Limits.FULL_BUNDLE_BYTES / 3;
    SimBundle hand = hand(new Mixed(new int[] {1, 1, 1, 1, 1}, -1, 0, -1, third));

    assertThat(hand.parts(Positions.range(0, 5)))
        .containsExactly(Positions.of(0, 1), Positions.of(2, 3), Positions.of(4));
    assertThat(hand.parts(Positions.of(1, 4))).containsExactly(Positions.of(1, 4));
  }

  @Test
  void result_that_is_larger_than_a_message_is_a_part_of_its_own() {
    SimBundle hand = hand(new Mixed(new int[] {1, 1}, -1, 0, -1, 2 * Limits.FULL_BUNDLE_BYTES));

    assertThat(hand.parts(Positions.of(0, 1))).isEqualTo(List.of(Positions.of(0), Positions.of(1)));
  }
}
