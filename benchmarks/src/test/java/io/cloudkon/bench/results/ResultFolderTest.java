package io.cloudkon.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest {
  @TempDir Path folder;

  private static FigureLine line(String name, double... numbers) {
    FigureLine.Coordinates[] points = new FigureLine.Coordinates[numbers.length / 2];
    for (int i = 0; i < points.length; i++) {
      points[i] = new FigureLine.Coordinates(numbers[2 * i], numbers[2 * i + 1]);
    }
    return new FigureLine(name, FigureLine.Kind.MEASURED, Hue.BLUE, List.of(points));
  }

  private static FigureRecord record(double latency, FigurePanel panel) {
    return new FigureRecord(
        "speed",
        "How fast it is",
        "./cloudkon bench speed",
        latency,
        "2026-01-02",
        "2 processors",
        List.of(panel),
        List.of("A note."));
  }

  private static FigurePanel panel(FigurePanel.YScale scale, FigureLine... lines) {
    return new FigurePanel("Speed", "workers", "tasks/s", scale, List.of(lines));
  }

  @Test
  void page_has_a_row_for_each_line_and_a_column_for_each_size() throws IOException {
    FigureRecord record =
        record(
            0,
            panel(
                FigurePanel.YScale.LINEAR,
                line("ours", 1, 10.25, 2, 1_234),
                line("theirs", 2, 7, 1024, 99_999)));
    assertThat(new ResultFolder(folder).put(record)).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("README.md")))
        .contains(
            """
            | tasks/s by workers | 1 | 2 | 1,024 |
            |---|---:|---:|---:|
            | ours | 10.3 | 1,234 |  |
            | theirs |  | 7.0 | 99,999 |
            """,
            "How fast it is. Taken on 2026-01-02: 2 processors.",
            "./cloudkon bench speed",
            "- A note.");
  }

  /** The rivals' numbers lie in the same folder; a figure could no longer be stored beside them. */
  @Test
  void other_json_is_left_alone() throws IOException {
    Path rivals = Files.writeString(folder.resolve("rivals.json"), "{\"systems\": []}");

    Path unused =
        new ResultFolder(folder)
            .put(record(0, panel(FigurePanel.YScale.LINEAR, line("ours", 1, 10))));

    assertThat(rivals).hasContent("{\"systems\": []}");
    assertThat(Files.readString(folder.resolve("README.md"))).doesNotContain("systems");
  }

  @Test
  void cumulative_distribution_is_told_by_its_percentiles() throws IOException {
    FigureRecord record =
        record(
            0, panel(FigurePanel.YScale.CUMULATIVE, line("send", 1, 40, 2, 50, 30, 90, 80, 100)));
    Path unused = new ResultFolder(folder).put(record);
    assertThat(Files.readString(folder.resolve("README.md")))
        .contains("| workers | 50 % | 90 % | 99 % |", "| send | 2.0 | 30.0 | 80.0 |");
  }

  @Test
  void figure_replaces_the_one_of_its_name_and_latency_only() throws IOException {
    ResultFolder results = new ResultFolder(folder);
    FigurePanel panel = panel(FigurePanel.YScale.LINEAR, line("ours", 1, 2));
    for (double latency : new double[] {0, 10, 10}) {
      Path unused = results.put(record(latency, panel));
    }
    assertThat(folder).isDirectoryContaining("glob:**/speed.json");
    assertThat(folder).isDirectoryContaining("glob:**/speed-10ms.json");
    assertThat(Files.readString(folder.resolve("README.md")).lines())
        .filteredOn(line -> line.startsWith("## "))
        .containsExactly("## speed, calls of 10 ms", "## speed");
  }

  @Test
  void simulated_lines_come_from_the_columns_and_rows_asked_for() throws IOException {
    Files.writeString(
        folder.resolve("e.csv"),
        """
        task,instances,preset original,"defaults, today's latencies"
        1 ms,1,4.5,90.1
        16 ms,1,40,
        16 ms,1024,41,97
        16 ms,4096,42,97
        """);
    List<FigureLine> lines =
        new SimulatedLines(folder)
            .of("e.csv", "16 ms", "preset original", "defaults, today's latencies");
    assertThat(lines.getFirst().points())
        .containsExactly(new FigureLine.Coordinates(1, 40), new FigureLine.Coordinates(1024, 41));
    assertThat(lines.getLast().points()).containsExactly(new FigureLine.Coordinates(1024, 97));
  }

  @Test
  void missing_simulation_is_said_with_the_command_that_makes_it() {
    SimulatedLines none = new SimulatedLines(folder);
    assertThatThrownBy(() -> none.of("throughput.csv"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("make it: ./cloudkon bench curves");
  }
}
