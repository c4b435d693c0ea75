package io.cloudkon.bench.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.bench.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--workers 0 | --workers 0: expected 1 to 100000",
        "--workers 1,x | 'x' is not a whole number",
        "--slots 0 | --slots 0: expected 1 to 1024",
        "--tasks 0 | --tasks 0: expected 1 to 100000000",
        "--tasks 100000000 --workers 16 | 1,600,000,000 tasks in all; expected at most",
        "--duration 5 | '5' is not a duration",
        "--duration 1s..1ms | '1s..1ms' is not a range",
        "--duration lognormal:5ms | 'lognormal:5ms' has no range",
        "--duration lognormal:0..1s | 'lognormal:0..1s' is not a range",
        "--duration 5us | expected whole milliseconds",
        "--clients 0 | --clients 0: expected 1 to 100000",
        "--clients 2000 --workers 1 | there are only 1000 tasks for them",
        "--threads 65 | --threads 65: expected 1 to 64",
        "--latency fast | 'fast': expected milliseconds for all calls",
        "--latency sqs=8,dynamo=5 | 'sqs=8,dynamo=5': expected",
        "--latency sqs=8/3 | 'sqs=8/3': expected",
        "--consistency sometimes | 'sometimes' is not one of",
        "--claim both | expected bundle or task, not 'both'",
        "--claim task --bundle 5 | give --bundle 1 as well",
        "--claim task --bundle 1 --consistency at-least-once | at-least-once has no claims",
        "--claim once | --claim once goes with --preset original only",
        "--claim once --preset original --consistency exactly-once | and not with exactly-once",
        "--preset original --sick --seeds 1 | --preset original goes with no other kind: --sick",
        "--preset original --consistency exactly-once --seeds 1 | mixed in at-most-once only",
        "--bundle 5000 | --bundle 5000: expected 1 to 4096",
        "--bundle-target 0s | --bundle-target: expected 1ms or more",
        "--preset old | expected original, not 'old'",
        "--plot fleet.jpg | expected a name that ends with .png",
        "--plot nowhere/fleet.png | there is no folder",
        "--seeds 0 | --seeds 0: expected 1 or more",
        "--hpc | --hpc: expected --seeds, --within or --trace",
        "--fleet | --fleet: expected --seeds, --within or --trace",
        "--refused | --refused: expected --seeds, --within or --trace",
        "--sick --refused --seeds 1 | --refused goes with no other kind: --sick",
        "--hpc --fleet --seeds 1 | --hpc and --fleet: expected one of them",
        "--seeds 5 --workers 3 | --workers does not go with --seeds",
        "--trace --duration 5ms | --duration does not go with --trace",
        "--trace --seeds 5 | --trace shows one seed",
        "--trace --within 5s | --trace shows one seed",
        "--within soon | 'soon' is not a duration",
      })
  void wrong_option_gives_one_line_and_exit_code_2(String options, String line) {
    String[] words = ("simulate " + options).split(" ");

    Screen screen = Screen.of(words);

    assertThat(screen.status()).isEqualTo(2);
    assertThat(screen.err()).startsWith("cloudkon bench simulate: ").contains(line).hasLineCount(1);
    assertThat(screen.out()).isEmpty();
  }

  @Test
  void fleet_numbers_add_up() throws IOException {
    Screen screen =
        Screen.of("simulate --workers 1,4 --tasks 200 --duration 10ms --slots 2 --json".split(" "));

    assertThat(screen.status()).isZero();
    JsonNode rows = new ObjectMapper().readTree(screen.out());
    assertThat(rows).hasSize(2);
    for (JsonNode row : rows) {
      int workers = row.path("workers").asInt();
      double seconds = row.path("makespan_seconds").asDouble();
      long tasks = row.path("tasks").asLong();
      assertThat(tasks).isEqualTo(200L * workers);
      assertThat(row.path("slots").asInt()).isEqualTo(2 * workers);
      assertThat(row.path("tasks_per_second").asDouble() * seconds)
          .isCloseTo(tasks, within(0.001 * tasks));
      double busy = row.path("efficiency").asDouble() * seconds * 2 * workers;
      assertThat(busy).isCloseTo(tasks * 0.010, within(1e-6));
      assertThat(row.path("latency_p50_millis").asDouble())
          .isBetween(10.0, row.path("latency_p99_millis").asDouble());
      assertThat(row.path("usd_per_million_tasks").asDouble()).isPositive();
    }
  }

  @Test
  void same_seed_gives_the_same_figures_and_another_does_not() {
    Scenario scenario = scenario();

    String once = ScaleTable.figures(Point.of(scenario, 3));

    assertThat(ScaleTable.figures(Point.of(scenario, 3))).isEqualTo(once);
    assertThat(ScaleTable.figures(Point.of(scenario.withSeed(9), 3))).isNotEqualTo(once);
  }

  @Test
  void original_makes_two_writes_and_one_message_of_each_task() {
    FleetOptions options = new FleetOptions();
    options.preset = Preset.ORIGINAL;
    options.tasks = 100;

    Point point = Point.of(options.scenario(1), 2);

    assertThat(point.tasks()).isEqualTo(200);
    assertThat(point.callsPerTask()).isBetween(2.5, 8.0);
    assertThat(point.efficiency()).isBetween(0.5, 0.95);
  }

  @Test
  void option_that_is_given_wins_over_the_preset() {
    FleetOptions options = new FleetOptions();
    options.preset = Preset.ORIGINAL;
    options.latency = new LatencyText("dynamodb=1");
    options.bundle = 1;

    Scenario scenario = options.scenario(1);

    assertThat(scenario.latencies().dynamo().medianMicros()).isEqualTo(1000);
    assertThat(scenario.latencies().sqs()).isEqualTo(Published.LATENCIES.sqs());
    assertThat(scenario.quotas()).isFalse();
    assertThat(scenario.overheadMicros()).isEqualTo(8_000);
  }

  @Test
  void table_is_drawn_as_a_picture() throws IOException {
    Path picture = folder.resolve("fleet.png");

    Screen screen =
        Screen.of("simulate", "--workers", "1,2", "--tasks", "20", "--plot", picture.toString());

    assertThat(screen.status()).isZero();
    assertThat(screen.out()).contains("limits met").contains("none");
    assertThat(Files.readAllBytes(picture))
        .startsWith(0x89, 'P', 'N', 'G')
        .hasSizeGreaterThan(5000);
  }

  @Test
  void seeds_are_as_many_as_fit_into_a_time_and_no_more_than_asked_for() {
    Screen screen =
        Screen.of("simulate", "--within", "10m", "--seeds", "2", "--consistency", "exactly-once");

    assertThat(screen.status()).isZero();
    assertThat(screen.out())
        .containsPattern("exactly-once +2 +0")
        .contains("every promise was kept");
    assertThat(Screen.of("simulate", "--within", "1ms", "--seeds", "1000000").status()).isZero();
  }

  @Test
  void seeds_under_the_preset_are_run_as_published() {
    Screen screen = Screen.of("simulate", "--seeds", "3", "--preset", "original");

    assertThat(screen.status()).isZero();
    assertThat(screen.out()).containsPattern("at-most-once +3 +0").doesNotContain("exactly-once");
  }

  @Test
  void seeds_are_run_in_every_mode() {
    Screen screen = Screen.of("simulate", "--seeds", "2");

    assertThat(screen.status()).isZero();
    assertThat(screen.out())
        .contains("exactly-once", "at-most-once", "at-least-once", "every promise was kept");
  }

  @Test
  void trace_of_a_seed_is_the_same_each_time() {
    String[] words = "simulate --seed 5 --consistency at-most-once --trace".split(" ");

    Screen once = Screen.of(words);

    assertThat(once.status()).isZero();
    assertThat(once.out()).contains("seed 5, at-most-once").hasSizeGreaterThan(1000);
    assertThat(Screen.of(words)).isEqualTo(once);
  }

  private static Scenario scenario() {
    FleetOptions options = new FleetOptions();
    options.tasks = 100;
    options.duration = new TaskTimes(1, 50, TaskTimes.Spread.UNIFORM);
    return options.scenario(1);
  }
}
