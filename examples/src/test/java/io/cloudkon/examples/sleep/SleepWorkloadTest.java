package io.cloudkon.examples.sleep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the workloads; needs no jar. */
class SleepWorkloadTest {
  private static final Pattern PUBLISHED = Pattern.compile("`workload\\.sh (\\d+) (\\d+)`");

  @TempDir private Path folder;
  private Workspace workspace;

  @BeforeEach
  void open() throws IOException {
    workspace = new Workspace(folder);
  }

  @ParameterizedTest
  @CsvSource({"0, 16000", "1, 16000", "16, 16000", "128, 16000", "10, 10000", "10000, 10"})
  void equal_tasks_are_as_many_and_as_long_as_asked_for(int millis, int tasks) throws Exception {
    assertThat(made("%d %d".formatted(millis, tasks)))
        .hasSize(tasks)
        .containsOnly("sleep " + millis);
  }

  @Test
  void readme_names_every_published_workload_of_equal_tasks() throws Exception {
    String readme = Files.readString(Workspace.CHECKOUT.resolve("examples/sleep/README.md"));

    List<String> named =
        PUBLISHED.matcher(readme).results().map(SleepWorkloadTest::arguments).distinct().toList();

    assertThat(named)
        .containsExactlyInAnyOrder(
            "0 16000",
            "1 16000",
            "16 16000",
            "128 16000",
            "10 10000",
            "1000 100",
            "10000 10",
            "0 10000",
            "0 100000");
  }

  private static String arguments(MatchResult command) {
    return command.group(1) + " " + command.group(2);
  }

  /** The middle of the range is where half are below; a standard deviation is its sixth part. */
  @Test
  void unequal_tasks_are_log_normal_between_a_millisecond_and_a_second() throws Exception {
    int[] millis = millis(made("mixed 20000"));

    assertThat(millis).hasSize(20_000);
    assertThat(IntStream.of(millis).min().orElseThrow()).isBetween(1, 2);
    assertThat(IntStream.of(millis).max().orElseThrow()).isBetween(800, 1000);
    assertThat(IntStream.of(millis).average().orElseThrow()).isCloseTo(59, within(1.0));
    assertThat(shareBelow(millis, 31.6)).isCloseTo(0.500, within(0.02));
    assertThat(shareBelow(millis, 9.5)).isCloseTo(0.148, within(0.01));
    assertThat(shareBelow(millis, 99.5)).isCloseTo(0.841, within(0.01));
    assertThat(shareBelow(millis, 315.5)).isCloseTo(0.977, within(0.005));
  }

  /** No stretch of the workload is heavier than another, and neighbours are not alike. */
  @Test
  void unequal_tasks_come_in_random_order() throws Exception {
    double[] logs =
        IntStream.of(millis(made("mixed 20000"))).mapToDouble(ms -> Math.log(ms)).toArray();

    for (int tenth = 0; tenth < 10; tenth++) {
      double sum =
          IntStream.range(tenth * 2000, (tenth + 1) * 2000).mapToDouble(i -> logs[i]).sum();
      assertThat(sum / 2000).isCloseTo(Math.log(1000) / 2, within(0.1));
    }
    double together =
        IntStream.range(1, logs.length)
            .mapToDouble(i -> (logs[i] - Math.log(1000) / 2) * (logs[i - 1] - Math.log(1000) / 2))
            .average()
            .orElseThrow();
    assertThat(together / Math.pow(Math.log(1000) / 6, 2)).isCloseTo(0, within(0.03));
  }

  @Test
  void seed_makes_the_same_workload_everywhere() throws Exception {
    assertThat(made("mixed 5"))
        .containsExactly("sleep 49", "sleep 21", "sleep 29", "sleep 15", "sleep 58")
        .isEqualTo(made("mixed 5 2017"));
    assertThat(made("mixed 5 1"))
        .containsExactly("sleep 13", "sleep 44", "sleep 222", "sleep 15", "sleep 31");
    assertThat(made("mixed 2000").subList(0, 5)).isEqualTo(made("mixed 5"));
  }

  @Test
  void command_for_eight_workers_makes_eight_times_as_many() throws Exception {
    workspace.run(ExampleReadme.of("sleep").blockWith("2000 * 8")).requireSuccess();

    assertThat(Files.readAllLines(workspace.file("mixed-8.txt"))).hasSize(16_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "16", "x 3", "-1 3", "1.5 3", "16 3 4", "mixed", "mixed 3 0", "mixed 3 4 5"})
  void arguments_that_cannot_be_used_are_refused(String arguments) throws Exception {
    Ended ended = workspace.run("examples/sleep/workload.sh " + arguments + "\n");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr()).startsWith("usage: ");
  }

  private List<String> made(String arguments) throws IOException, InterruptedException {
    return workspace
        .run("examples/sleep/workload.sh " + arguments + "\n")
        .requireSuccess()
        .stdout()
        .lines()
        .toList();
  }

  private static int[] millis(List<String> workload) {
    return workload.stream()
        .mapToInt(line -> Integer.parseInt(line.substring("sleep ".length())))
        .toArray();
  }

  private static double shareBelow(int[] millis, double limit) {
    return IntStream.of(millis).filter(ms -> ms < limit).count() / (double) millis.length;
  }
}
