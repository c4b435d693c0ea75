package io.cloudkon.core.protocol.durations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnedDurationsTest {
  private static final Work HASH = new Work.JavaCall("sha256", List.of("a"));

  private final LearnedDurations durations = new LearnedDurations();

  @Test
  void micros_of_a_sleep_are_what_it_asks_for() {
    assertThat(durations.micros(new Work.Sleep(7))).isEqualTo(7_000);
  }

  @Test
  void micros_of_an_unknown_sort_are_unknown() {
    assertThat(durations.micros(HASH)).isNaN();
  }

  @Test
  void results_are_counted_for_each_sort_and_a_sleep_needs_none() {
    durations.learn("noop", 3, 30);
    durations.learn("noop", 40, 400);
    assertThat(durations.results(Work.Noop.INSTANCE)).isEqualTo(43);
    assertThat(durations.results(new Work.JavaCall("other", List.of()))).isZero();
    assertThat(durations.results(new Work.Sleep(5))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void micros_after_the_first_learning_are_its_mean() {
    durations.learn("sha256", 4, 100);
    assertThat(durations.micros(HASH)).isEqualTo(25);
  }

  @Test
  void slow_first_task_is_soon_outweighed_by_many() {
    durations.learn("sha256", 1, 30_000);
    durations.learn("sha256", 1_000, 10_000);
    assertThat(durations.micros(HASH)).isLessThan(40);
  }

  @Test
  void one_pause_weighs_a_fifth_among_equal_counts() {
    for (int i = 0; i < 100; i++) {
      durations.learn("sha256", 100, 1_000);
    }
    durations.learn("sha256", 100, 11_000);
    assertThat(durations.micros(HASH)).isCloseTo(30, within(0.1));
  }

  @Test
  void tasks_that_became_longer_are_known_as_such_after_some_learning() {
    durations.learn("sha256", 100, 1_000);
    for (int i = 0; i < 20; i++) {
      durations.learn("sha256", 100, 100_000);
    }
    assertThat(durations.micros(HASH)).isCloseTo(1_000, within(20.0));
  }

  /** With a program of its own for each task, a worker stopped learning after a thousand. */
  @Test
  void kinds_that_do_not_occur_any_more_make_room_for_new_ones() {
    durations.learn("sha256", 1, 100);
    for (int i = 0; i < 5_000; i++) {
      durations.learn("exec ./job-" + i, 1, 10);
      assertThat(durations.micros(HASH)).isEqualTo(100);
    }

    assertThat(durations.results(Work.Exec.shell("./job-4999"))).isEqualTo(1);
    assertThat(durations.results(Work.Exec.shell("./job-0"))).isZero();
  }

  @Test
  void sum_leaves_out_what_took_twenty_times_the_mean() {
    DurationSum sum = new DurationSum();
    for (int i = 0; i < 99; i++) {
      sum.add(10);
    }
    sum.add(20_000);
    assertThat(sum.take()).isEqualTo(new DurationSum.Sum(99, 990));
  }

  @Test
  void sum_counts_long_tasks_where_they_are_not_rare() {
    DurationSum sum = new DurationSum();
    for (int i = 0; i < 40; i++) {
      sum.add(i % 4 == 0 ? 1_000_000 : 1_000);
    }
    assertThat(sum.take().count()).isEqualTo(40);
  }

  @Test
  void sum_begins_anew_after_it_was_taken_and_knows_no_negative_time() {
    DurationSum sum = new DurationSum();
    sum.add(5);
    sum.take();
    assertThat(sum.size()).isZero();
    sum.add(-3);
    sum.add(0);
    assertThat(sum.take()).isEqualTo(new DurationSum.Sum(2, 0));
  }
}
