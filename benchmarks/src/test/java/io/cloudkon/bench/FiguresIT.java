package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each measured figure runs at a tiny size, with calls of a latency, and leaves its files. */
@Tag("slow")
class FiguresIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "mtc-throughput, 20",
    "hpc-throughput, 4",
    "latency, 10",
    "latency-cdf, 10",
    "efficiency, 10",
    "heterogeneous, 10",
    "consistency, 10",
    "api-calls, 10"
  })
  void figure_runs_at_a_tiny_size_and_leaves_its_numbers_and_picture(String name, long tasks)
      throws IOException, InterruptedException {
    BenchCommand command = new BenchCommand();
    command.names.add(name);
    command.quick = true;
    command.tasks = tasks;
    command.figures.workers = new int[] {1};
    command.figures.latency = Duration.ofMillis(1);
    command.figures.results = folder.resolve("results");
    command.scratch = folder.resolve("scratch");
    command.jvm = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    assertThat(command.call()).isZero();

    assertThat(command.scratch).isEmptyDirectory();
    Path results = command.figures.results;
    assertThat(results.resolve(name + "-1ms.png")).isNotEmptyFile();
    assertThat(Files.readString(results.resolve(name + "-1ms.json")))
        .contains("\"figure\" : \"%s\"".formatted(name), "\"kind\" : \"CEILING\"");
    assertThat(Files.readString(results.resolve("README.md"))).contains("bench " + name);
  }

  @ParameterizedTest
  @CsvSource({"efficiency, bare thread pool", "consistency, exactly-once against at-least-once"})
  void defaults_alone_are_measured_without_a_line_of_the_preset(String name, String line)
      throws IOException, InterruptedException {
    BenchCommand command = new BenchCommand();
    command.names.add(name);
    command.quick = true;
    command.figures.workers = new int[] {1};
    command.figures.workPerSlot = Duration.ofMillis(20);
    command.figures.defaultsOnly = true;
    command.figures.results = folder.resolve("results");
    command.scratch = folder.resolve("scratch");
    command.jvm = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    assertThat(command.call()).isZero();

    assertThat(Files.readString(command.figures.results.resolve(name + ".json")))
        .contains(line, "--work-per-slot 20ms --defaults-only")
        .doesNotContain("preset original:", "\"name\" : \"preset", "simulated: preset original");
  }
}
