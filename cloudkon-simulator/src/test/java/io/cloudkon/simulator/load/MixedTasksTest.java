package io.cloudkon.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Work;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixedTasksTest {
  private static final int SIZE = 20_000;

  @Test
  void log_normal_tasks_stay_within_their_range_around_its_geometric_mean() {
    MixedTasks tasks = MixedTasks.logNormal(SIZE, 1, 1000, 1);

    long[] millis = millis(tasks);
    assertThat(Arrays.stream(millis).min().orElseThrow()).isBetween(1L, 2L);
    assertThat(Arrays.stream(millis).max().orElseThrow()).isBetween(500L, 1000L);
    assertThat(Arrays.stream(millis).average().orElseThrow()).isCloseTo(60, within(3.0));
    assertThat((double) Arrays.stream(millis).sorted().toArray()[SIZE / 2])
        .isCloseTo(31.6, within(1.5));
  }

  @Test
  void uniform_tasks_reach_both_bounds() {
    MixedTasks tasks = MixedTasks.uniform(SIZE, 0, 5, 1);

    assertThat(Arrays.stream(millis(tasks)).distinct())
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void same_seed_gives_the_same_tasks_and_each_says_how_long_it_sleeps() {
    MixedTasks tasks = MixedTasks.logNormal(100, 1, 1000, 7);

    assertThat(millis(tasks)).isEqualTo(millis(MixedTasks.logNormal(100, 1, 1000, 7)));
    assertThat(millis(tasks)).isNotEqualTo(millis(MixedTasks.logNormal(100, 1, 1000, 8)));
    assertThat(tasks.task(3).work()).isEqualTo(new Work.Sleep(millis(tasks)[3]));
    assertThat(tasks.task(3).ordinal()).isEqualTo(3);
  }

  @Test
  void slowed_tasks_take_longer_than_they_say() {
    SlowedTasks tasks = SlowedTasks.each(new SleepTasks(3, 16), 8_000);

    assertThat(tasks.size()).isEqualTo(3);
    assertThat(tasks.micros(2)).isEqualTo(24_000);
    assertThat(tasks.task(2).work()).isEqualTo(new Work.Sleep(16));
  }

  private static long[] millis(Tasks tasks) {
    return IntStream.range(0, tasks.size()).mapToLong(i -> tasks.micros(i) / 1000).toArray();
  }
}
