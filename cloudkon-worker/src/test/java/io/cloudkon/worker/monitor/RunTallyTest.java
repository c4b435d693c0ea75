package io.cloudkon.worker.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.port.FinishedTasks;
import org.junit.jupiter.api.Test;

class RunTallyTest {
  private final RunTally tally = new RunTally();

  @Test
  void counts_and_rate_are_by_run() {
    tally.finished("a", 10, 1);
    tally.finished("b", 5, 0);
    tally.finished("a", 10, 2);

    tally.pass(10);

    assertThat(tally.all())
        .containsEntry("a", new FinishedTasks(20, 3, 2))
        .containsEntry("b", new FinishedTasks(5, 0, 0.5))
        .hasSize(2);
  }

  @Test
  void rate_is_a_mean_over_minutes_and_falls_when_nothing_more_ends() {
    for (int i = 0; i < 60; i++) {
      tally.finished("a", i % 2 * 20, 0); // every other time, as long tasks do
      tally.pass(5);
    }
    assertThat(tally.all().get("a").perSecond()).isCloseTo(2, within(0.1));

    tally.pass(3000);

    assertThat(tally.all().get("a").perSecond()).isLessThan(0.01);
  }

  @Test
  void what_was_kept_for_five_minutes_is_due_and_its_rate_stays() {
    tally.finished("a", 300, 3);
    tally.pass(299);
    assertThat(tally.due()).isEmpty();
    tally.finished("a", 1, 0);
    tally.pass(1);

    assertThat(tally.due().get("a").tasks()).isEqualTo(301);
    FinishedTasks shown = tally.shownBeside(tally.due()).get("a");
    assertThat(shown.tasks()).isZero();
    assertThat(shown.perSecond()).isPositive();

    tally.left("a", tally.due().get("a"));
    tally.pass(5);

    assertThat(tally.due()).isEmpty();
    assertThat(tally.all().get("a").perSecond()).isPositive();
  }

  @Test
  void those_are_due_first_that_worked_longest_ago_where_there_are_too_many() {
    for (int i = 0; i < 10; i++) {
      tally.finished("run-" + i, 1, 0);
    }
    tally.finished("run-0", 1, 0);

    assertThat(tally.due()).containsOnlyKeys("run-1", "run-2");
    assertThat(tally.shownBeside(tally.due())).hasSize(8).containsKey("run-0");
  }

  @Test
  void run_of_which_nothing_is_left_to_say_is_forgotten_after_ten_minutes() {
    tally.finished("a", 5, 1);
    tally.pass(1);
    tally.left("a", tally.all().get("a"));
    tally.pass(599);
    assertThat(tally.all()).containsOnlyKeys("a");

    tally.pass(1);

    assertThat(tally.all()).isEmpty();
  }

  @Test
  void rate_never_gets_too_small_to_be_written() {
    tally.finished("a", 1, 0);
    for (int i = 0; i < 100; i++) {
      tally.pass(3_600);
    }

    assertThat(tally.all().get("a")).isEqualTo(new FinishedTasks(1, 0, 0));
  }

  @Test
  void what_ended_while_it_was_handed_in_stays() {
    tally.finished("a", 5, 1);
    FinishedTasks handedIn = tally.all().get("a");
    tally.finished("a", 2, 1);

    tally.left("a", handedIn);

    assertThat(tally.all().get("a").tasks()).isEqualTo(2);
    assertThat(tally.all().get("a").failed()).isEqualTo(1);
  }
}
