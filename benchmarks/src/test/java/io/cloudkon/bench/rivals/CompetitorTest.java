package io.cloudkon.bench.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompetitorTest {
  @Test
  void without_names_everybody_takes_part() {
    assertThat(Competitor.chosen(List.of())).containsExactly(Competitor.values());
  }

  @Test
  void named_rivals_run_beside_ours_and_the_yardsticks() {
    assertThat(Competitor.chosen(List.of("ray", "dask")))
        .containsExactly(
            Competitor.XARGS,
            Competitor.THREADS,
            Competitor.LOCAL,
            Competitor.CLUSTER,
            Competitor.DASK,
            Competitor.RAY);
  }

  @Test
  void name_of_no_rival_is_refused_and_the_rivals_are_told() {
    assertThatThrownBy(() -> Competitor.chosen(List.of("ray", "local")))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--only local: there is no such rival; expected some of hyperqueue,celery,dask,ray");
  }

  @Test
  void slow_systems_do_a_part_of_the_short_tasks_and_all_of_the_others() {
    List<Exercise> all = Exercise.all(false);
    for (Exercise exercise : all) {
      assertThat(Competitor.DASK.tasks(exercise)).isEqualTo(exercise.tasks());
    }
    assertThat(all.stream().map(Competitor.CELERY::tasks))
        .containsExactly(1, 1_000, 5_000, 2_000, 500, 64, 2_000, 500, 64);
  }

  @Test
  void every_system_starts_and_each_kind_of_work_has_a_system_of_ours_and_a_rival() {
    for (Exercise exercise : Exercise.all(true)) {
      assertThat(Competitor.LOCAL.does(exercise)).isTrue();
      assertThat(Competitor.CLUSTER.does(exercise)).isTrue();
      assertThat(Competitor.rivals()).as(exercise.name()).anyMatch(c -> c.does(exercise));
      if (exercise.kind() == Exercise.Kind.START) {
        assertThat(Arrays.stream(Competitor.values())).allMatch(c -> c.does(exercise));
      }
    }
  }
}
