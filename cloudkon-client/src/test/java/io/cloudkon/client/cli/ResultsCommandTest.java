package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ResultsCommandTest {
  @TempDir private Path folder;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void redirect() {
    System.setErr(new PrintStream(said, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(err);
  }

  private String run(String... words) {
    Path out = folder.resolve("out");
    List<String> all = new ArrayList<>(List.of("--quiet", "--out", out.toString(), "--"));
    all.addAll(List.of(words));
    assertThat(RunCommand.run(all.toArray(String[]::new))).as(said.toString(UTF_8)).isZero();
    return out.toString();
  }

  private void refused(String message, String... words) {
    said.reset();
    assertThat(Cli.run(new ResultsCommand(), words)).isEqualTo(2);
    assertThat(said.toString(UTF_8)).startsWith("cloudkon results: " + message).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"out --sort -seconds", "--sort -seconds out", "--sort=-seconds out"})
  void descending_order_is_a_value_and_no_option(String words) {
    ResultsCommand command = new ResultsCommand();
    var unused = new CommandLine(command).parseArgs(words.split(" "));
    assertThat(command.sort).isEqualTo("-seconds");
    assertThat(command.run).isEqualTo("out");
  }

  @Test
  void value_that_no_task_has_is_refused_with_the_columns_that_there_are() {
    String run = run("true", "{1}", "{2}", "{3}", ":::", "a", ":::", "b", ":::", "c");

    refused(
        "--columns value9: no task of this run has 9 values; expected one of value1 to value3,"
            + " task, index, status",
        run,
        "--columns",
        "value3,value9");
    refused("--sort value4: no task of this run has 4 values", run, "--sort", "value4");
    refused("--sort -value4: no task of this run has 4 values", run, "--sort", "-value4");
  }

  @Test
  void value_that_only_a_later_task_has_is_shown() throws Exception {
    Path tasks = folder.resolve("tasks.jsonl");
    Files.writeString(
        tasks,
        """
        {"exec": ["true"], "values": ["a"]}
        {"exec": ["true"], "values": ["b", "c"]}
        """);
    String out = folder.resolve("out").toString();
    String[] client = {"-s", "LOCAL", "-q", "--out", out, "-w", tasks.toString()};
    assertThat(Cli.run(new ClientCommand(), client)).as(said.toString(UTF_8)).isZero();

    assertThat(Cli.run(new ResultsCommand(), out, "--columns", "value2", "--format", "tsv"))
        .as(said.toString(UTF_8))
        .isZero();
    refused("--columns value3: no task of this run has 3 values", out, "--columns", "value3");
  }

  @Test
  void values_of_tasks_without_any_are_refused() throws Exception {
    Path tasks = folder.resolve("tasks");
    Files.writeString(tasks, "noop\n");
    String out = folder.resolve("out").toString();
    String[] client = {"-s", "LOCAL", "-q", "--out", out, "-w", tasks.toString()};
    assertThat(Cli.run(new ClientCommand(), client)).as(said.toString(UTF_8)).isZero();

    refused(
        "--columns value1: no task of this run has values; expected one of task, index",
        out,
        "--columns",
        "value1");
  }
}
