package io.cloudkon.bench.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExerciseTest {
  @Test
  void sleeps_are_eight_seconds_of_work_and_fill_the_slots() {
    List<Exercise> sleeps =
        Exercise.all(false).stream().filter(exercise -> exercise.kind().sleeps()).toList();
    assertThat(sleeps).hasSize(6);
    for (Exercise exercise : sleeps) {
      assertThat(exercise.tasks() % Exercise.SLOTS).isZero();
      assertThat(exercise.tasks() * exercise.millis()).isBetween(8_000, 8_000 + 4 * 128);
    }
  }

  @Test
  void efficiency_is_the_share_of_the_slots_time() {
    Exercise exercise = new Exercise("sleep-16", Exercise.Kind.SLEEP, 16, 500);
    assertThat(exercise.efficiency(500, 2)).isCloseTo(1, within(1e-9));
    assertThat(exercise.efficiency(500, 4)).isCloseTo(0.5, within(1e-9));
    assertThat(exercise.efficiency(125, 1)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void workload_lines_say_the_same_work_as_the_commands() {
    assertThat(Exercise.all(false).stream().map(Exercise::line))
        .containsExactly(
            "noop",
            "exec true",
            "noop",
            "sleep 1",
            "sleep 16",
            "sleep 128",
            "exec sleep 0.001",
            "exec sleep 0.016",
            "exec sleep 0.128");
    assertThat(new Exercise("command-16", Exercise.Kind.COMMAND, 16, 4).shellCommand())
        .isEqualTo("sleep 0.016");
  }
}
