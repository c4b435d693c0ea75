package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FigureOptionsTest {
  @TempDir Path folder;

  private static FigureOptions parsed(String... arguments) {
    BenchCommand command = new BenchCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.figures;
  }

  @Test
  void options_are_parsed() {
    FigureOptions options = parsed("efficiency", "--work-per-slot", "30s", "--defaults-only");
    assertThat(options.workPerSlot).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.defaultsOnly).isTrue();
  }

  @Test
  void number_of_tasks_is_that_of_the_figure_without_the_option() {
    FigureOptions options = parsed("efficiency");
    assertThat(options.defaultsOnly).isFalse();
    assertThat(options.tasks(4, 16)).isEmpty();
    assertThat(options.workNote("As many as ever.")).isEqualTo("As many as ever.");
  }

  @ParameterizedTest
  @CsvSource({
    "30s, 4, 1, 120000",
    "30s, 16, 16, 30000",
    "30s, 4, 128, 936",
    "20ms, 4, 128, 4",
    "1h, 256, 1, 921600000",
  })
  void each_slot_gets_the_work_asked_for(String work, int slots, double millis, int tasks) {
    assertThat(parsed("efficiency", "--work-per-slot", work).tasks(slots, millis)).hasValue(tasks);
  }

  @Test
  void work_for_each_slot_and_a_number_of_tasks_exclude_each_other() {
    assertThat(Screen.of("efficiency", "--work-per-slot", "30s", "--tasks", "9"))
        .satisfies(screen -> {
          assertThat(screen.status()).isEqualTo(2);
          assertThat(screen.err())
              .contains("--work-per-slot and --tasks exclude each other; leave one out");
        });
  }

  @ParameterizedTest
  @CsvSource({"0, 0s", "61m, 61m"})
  void work_for_each_slot_has_bounds(String given, String told) {
    assertThat(Screen.of("efficiency", "--work-per-slot", given))
        .satisfies(screen -> {
          assertThat(screen.status()).isEqualTo(2);
          assertThat(screen.err())
              .contains("--work-per-slot %s: expected 1ms to 1h".formatted(told));
        });
  }

  @Test
  void notes_state_the_work_and_what_is_left_out() {
    FigureOptions options = parsed("efficiency", "--work-per-slot", "30s", "--defaults-only");
    List<FigureMeasurement> figures =
        List.of(new EfficiencyFigure(), new HeterogeneousFigure(), new ConsistencyFigure());
    for (FigureMeasurement figure : figures) {
      assertThat(String.join(" ", figure.notes(options)))
          .contains("Each slot of the cluster has 30s of work", "left out (--defaults-only)")
          .doesNotContain("--tasks");
      assertThat(String.join(" ", figure.notes(new FigureOptions())))
          .contains("--tasks")
          .doesNotContain("--work-per-slot", "--defaults-only");
    }
  }

  @Test
  void preset_is_warmed_up_for_every_figure_that_runs_it() {
    FigureOptions options = parsed("efficiency", "--defaults-only");
    List<FigureMeasurement> without =
        List.of(new EfficiencyFigure(), new HeterogeneousFigure(), new ConsistencyFigure());
    List<FigureMeasurement> with =
        List.of(
            new ThroughputFigure(), new LatencyFigure(), new LatencyCdfFigure(), new CallsFigure());
    assertThat(without).noneMatch(figure -> figure.original(options));
    assertThat(without).allMatch(figure -> figure.original(new FigureOptions()));
    assertThat(with).allMatch(figure -> figure.original(options));
  }

  @Test
  void mean_of_the_drawn_durations_is_as_documented() {
    assertThat(HeterogeneousFigure.meanMillis()).isCloseTo(60, within(3.0));
  }

  @Test
  void command_of_a_figure_repeats_its_options() {
    FigureOptions options = parsed("efficiency", "--work-per-slot", "90s", "--defaults-only");
    assertThat(command(List.of("efficiency"), OptionalLong.empty(), true, options))
        .isEqualTo("./cloudkon bench efficiency --work-per-slot 90s --defaults-only");
  }

  @Test
  void command_of_a_figure_is_the_one_that_ran_with_all_that_it_measured() {
    FigureOptions options =
        parsed("x", "--emulate-latency", "10ms", "--workers", "1,2", "--results", "here/results");
    List<String> names = List.of("latency", "efficiency");
    assertThat(command(names, OptionalLong.of(9), false, options))
        .isEqualTo(
            "./cloudkon bench latency efficiency --emulate-latency 10ms --tasks 9 --workers 1,2"
                + " --rmi-tls off --results here/results");
  }

  private String command(
      List<String> names, OptionalLong tasks, boolean encrypted, FigureOptions options) {
    Setting setting =
        new Setting(names, false, tasks, encrypted, options, List.of(), folder, folder, System.out);
    return new FigureFiles(setting).command();
  }

  @Test
  void command_is_written_and_names_no_folder_of_this_machine() throws IOException {
    FigureOptions options = parsed("efficiency");
    options.results = folder.toAbsolutePath();
    Setting setting =
        new Setting(
            List.of("efficiency", "latency"),
            false,
            OptionalLong.empty(),
            true,
            options,
            List.of(),
            folder,
            folder,
            System.out);
    LinePoints line = new LinePoints();
    line.add(1, 98.7);
    new FigureFiles(setting)
        .write(
            "efficiency",
            "Efficiency",
            List.of(
                new EfficiencyLines().panel("Efficiency", line.measured(Way.DEFAULTS), List.of())),
            List.of());
    assertThat(Files.readString(folder.resolve("efficiency.json")))
        .contains("\"./cloudkon bench efficiency latency\"");
  }
}
