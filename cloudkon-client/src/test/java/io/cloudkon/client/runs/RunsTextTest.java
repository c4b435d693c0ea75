package io.cloudkon.client.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.status.RunProgress;
import io.cloudkon.core.port.RunLabel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RunsTextTest {
  private static final long DAY = 24L * 60 * 60 * 1000;

  private static RunSummary run(String id, long tasks, OptionalDouble cost) {
    return run(id, tasks, cost, Optional.empty());
  }

  private static RunSummary run(String id, long tasks, OptionalDouble cost, Optional<Path> folder) {
    return new RunSummary(
        id,
        "Q",
        new RunLabel("night", Map.of("paper", "fig3")),
        true,
        "cancelled",
        OptionalLong.of(0),
        OptionalLong.of(DAY),
        tasks,
        new RunProgress(tasks, 0, true, 0, OptionalDouble.empty()),
        cost,
        folder);
  }

  @Test
  void line_with_usual_ids_and_a_cost_fits_80_columns() {
    List<String> lines =
        RunsText.of(
            List.of(
                run("20260101-120000-k3x9q2", 9_999, OptionalDouble.of(1.2345)),
                run("20260101-120000-7fwm0d", 10, OptionalDouble.empty())),
            2 * DAY);

    assertThat(lines).hasSize(5).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(lines.get(0)).startsWith("RUN                    STATE     STARTED");
    assertThat(lines.get(1)).startsWith("20260101-120000-k3x9q2 cancelled ").endsWith(" $1.2345");
    assertThat(lines.get(2)).isEqualTo("  night  paper=fig3");
    assertThat(lines.get(3)).endsWith("     ~10/10      0");
  }

  @Test
  void folder_with_a_name_of_its_own_is_told() {
    RunSummary named = run("r", 1, OptionalDouble.empty(), Optional.of(Path.of("grid")));
    RunSummary usual = run("r", 1, OptionalDouble.empty(), Optional.of(Path.of("cloudkon-r")));

    assertThat(RunsText.of(List.of(named, usual), 2 * DAY))
        .contains("  night  paper=fig3  in grid", "  night  paper=fig3");
  }

  @Test
  void start_has_its_year_only_if_it_is_long_ago() {
    List<RunSummary> one = List.of(run("r", 1, OptionalDouble.empty()));

    assertThat(RunsText.of(one, 2 * DAY).get(1))
        .matches("r\\s+cancelled \\d\\d-\\d\\d \\d\\d:\\d\\d .*");
    assertThat(RunsText.of(one, 400 * DAY).get(1))
        .matches("r\\s+cancelled \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d .*");
  }
}
