package io.cloudkon.bench.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonTablesTest {
  private static final Exercise START = new Exercise("start", Exercise.Kind.START, 0, 1);
  private static final Exercise TRUE = new Exercise("true", Exercise.Kind.TRUE, 0, 4_000);
  private static final Exercise NOOP = new Exercise("noop", Exercise.Kind.NOOP, 0, 20_000);
  private static final Exercise SLEEP = new Exercise("sleep-16", Exercise.Kind.SLEEP, 16, 500);
  private static final Exercise COMMAND =
      new Exercise("command-16", Exercise.Kind.COMMAND, 16, 500);

  private final Figures figures = new Figures();

  private void measured(
      Competitor competitor, Exercise exercise, @Nullable Double own, double whole) {
    String version = competitor.role() == Competitor.Role.RIVAL ? "v1.2" : null;
    figures.add(
        competitor, exercise, new Measurement(competitor.tasks(exercise), own, whole, version));
  }

  private Sitting.Outcome outcome(Map<Competitor, String> leftOut) {
    return new Sitting.Outcome(
        List.of(Competitor.values()),
        List.of(START, TRUE, NOOP, SLEEP, COMMAND),
        3,
        figures,
        leftOut);
  }

  @Test
  void rows_show_medians_by_both_clocks() {
    measured(Competitor.XARGS, START, null, 0.01);
    measured(Competitor.XARGS, TRUE, null, 2);
    measured(Competitor.DASK, START, 0.01, 1.5);
    for (double seconds : List.of(9.0, 4.0, 5.0)) {
      measured(Competitor.DASK, NOOP, seconds, 2 * seconds);
    }
    String tables = new ComparisonTables(outcome(Map.of())).markdown();
    assertThat(tables)
        .contains("Medians of 3 rounds")
        .contains(
            "| system | start and one no-op | 4,000 × `sh -c true`, per s | 20,000 no-ops, per s"
                + " |\n")
        .contains("| `xargs -P4` | 0.01 s | – / 2,000 | – |\n")
        .contains("| Dask 1.2 | 1.50 s | – | 4,000 / 2,000 |\n")
        .doesNotContain("Ray");
  }

  @Test
  void efficiency_of_commands_has_no_row_for_systems_without_commands() {
    measured(Competitor.LOCAL, SLEEP, 2.5, 4);
    measured(Competitor.LOCAL, COMMAND, 4.0, 5);
    measured(Competitor.RAY, SLEEP, 2.0, 8);
    measured(Competitor.HYPERQUEUE, COMMAND, 8.0, 10);
    String tables = new ComparisonTables(outcome(Map.of())).markdown();
    String sleeps = tables.substring(tables.indexOf("own process:"), tables.indexOf("commands, `"));
    assertThat(sleeps)
        .contains("| CloudKon LOCAL | 80.0 % / 50.0 % |\n")
        .contains("| Ray 1.2 | 100.0 % / 25.0 % |\n")
        .doesNotContain("HyperQueue");
    String commands = tables.substring(tables.indexOf("commands, `"), tables.indexOf("durable"));
    assertThat(commands)
        .contains("| CloudKon LOCAL | 50.0 % / 40.0 % |\n")
        .contains("| HyperQueue 1.2 | 25.0 % / 20.0 % |\n")
        .doesNotContain("Ray");
  }

  @Test
  void slow_systems_rate_is_of_the_tasks_that_they_did() {
    measured(Competitor.CELERY, NOOP, 10.0, 20);
    assertThat(new ComparisonTables(outcome(Map.of())).markdown())
        .contains("| Celery 1.2 | – | – | 500 / 250 |\n")
        .contains("does 1 of 4 of the tasks of 1 ms and less");
  }

  @Test
  void who_is_left_out_is_named_with_the_reason() {
    measured(Competitor.RAY, START, 0.01, 4);
    Sitting.Outcome outcome = outcome(Map.of(Competitor.DASK, "no wheel"));
    assertThat(new ComparisonTables(outcome).markdown())
        .contains("\nDask is not, or not wholly, in it: no wheel\n");
    assertThat(outcome.hasRival()).isTrue();
  }

  @Test
  void sitting_of_ours_alone_has_no_rival() {
    measured(Competitor.LOCAL, START, 0.1, 0.4);
    measured(Competitor.XARGS, START, null, 0.1);
    assertThat(outcome(Map.of()).hasRival()).isFalse();
  }

  @Test
  void standings_compare_like_with_like_by_each_clock() {
    measured(Competitor.CLUSTER, SLEEP, 2.5, 3);
    measured(Competitor.CLUSTER, COMMAND, 4.0, 5);
    measured(Competitor.RAY, SLEEP, 2.25, 8);
    measured(Competitor.DASK, SLEEP, 3.0, 4);
    measured(Competitor.HYPERQUEUE, COMMAND, 8.0, 10);
    assertThat(Standings.lines(outcome(Map.of())))
        .containsExactly(
            "CloudKon cluster, sleep-16, own clock: ahead of Dask; BEHIND Ray",
            "CloudKon cluster, sleep-16, whole command: ahead of Ray, Dask",
            "CloudKon cluster, command-16, own clock: ahead of HyperQueue",
            "CloudKon cluster, command-16, whole command: ahead of HyperQueue");
  }

  @Test
  void json_has_every_measurement() throws IOException {
    measured(Competitor.XARGS, TRUE, null, 2);
    measured(Competitor.DASK, NOOP, 4.0, 6);
    measured(Competitor.DASK, NOOP, 5.0, 7);
    JsonNode root =
        new ObjectMapper().readTree(ResultFiles.json(outcome(Map.of(Competitor.RAY, "no wheel"))));
    assertThat(root.path("measurements")).hasSize(3);
    assertThat(root.at("/measurements/0/ownSeconds").isNull()).isTrue();
    assertThat(root.at("/measurements/2/ownSeconds").asDouble()).isEqualTo(5.0);
    assertThat(root.at("/measurements/2/work").asText()).isEqualTo("noop");
    assertThat(root.at("/systems/1/version").asText()).isEqualTo("v1.2");
    assertThat(root.at("/leftOut/ray").asText()).isEqualTo("no wheel");
  }
}
