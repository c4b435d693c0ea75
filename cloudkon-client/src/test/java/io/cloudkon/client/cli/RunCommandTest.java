package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands before and behind the {@code --}. */
class RunCommandTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void redirect() {
    System.setOut(new PrintStream(printed, true, UTF_8));
    System.setErr(new PrintStream(said, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  @Test
  void dashes_that_are_missing_are_asked_for() {
    assertThat(RunCommand.run("--print", "gzip", "-9", "{}", ":::", "a")).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("expected -- before the command: cloudkon run");
    assertThat(RunCommand.run("--print", "gzip", "--", "-9", ":::", "a")).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("'gzip' comes before it");
    assertThat(printed.toString(UTF_8)).isEmpty();
  }

  @Test
  void option_that_another_command_has_leads_to_it() {
    assertThat(RunCommand.run("--resume", "r", "--", "gzip", "{}", ":::", "a")).isEqualTo(2);
    assertThat(said.toString(UTF_8))
        .contains("unknown option '--resume'; client --resume RUN goes on", "rerun RUN");
  }

  @Test
  void where_the_tasks_run_is_said_once_nothing_stands_against_it() {
    assertThat(RunCommand.run("--detach", "--", "true", "{}", ":::", "a")).isEqualTo(2);
    assertThat(RunCommand.run("--out", "none", "--file", "/x/{}", "--", "true", ":::", "a"))
        .isEqualTo(2);
    assertThat(said.toString(UTF_8)).doesNotContain("no -s QUEUE");

    assertThat(RunCommand.run("--out", "none", "--", "true", "{}", ":::", "a")).isZero();
    assertThat(said.toString(UTF_8)).contains("cloudkon run: no -s QUEUE, so the tasks run here");
  }

  @Test
  void file_that_is_not_there_is_refused_by_its_option_and_name() {
    assertThat(RunCommand.run("--out", "none", "--file", "no/{}", "--", "cat", "{}", ":::", "x"))
        .isEqualTo(2);
    assertThat(said.toString(UTF_8))
        .contains("--file: \"no/x\" does not exist; expected a file that can be read, named from /")
        .doesNotContain("<command line>");

    String[] both = {"--ship", "src", "--file", "src/{}", "--", "cat", "{}", ":::", "x"};
    assertThat(RunCommand.run(both)).isEqualTo(2);
    assertThat(said.toString(UTF_8))
        .contains("--file: \"src/x\" conflicts with src, which --ship sends");
  }

  @Test
  void run_that_too_many_failures_end_starts_no_further_tasks(@TempDir Path folder)
      throws Exception {
    String out = folder.resolve("out").toString();
    String[] words = {
      "-q",
      "-t",
      "1",
      "--out",
      out,
      "--max-failures",
      "1",
      "--array",
      "1-500",
      "--",
      "sh",
      "-c",
      "sleep 0.1; exit 1"
    };
    assertThat(RunCommand.run(words)).isEqualTo(1);

    List<String> results = Files.readAllLines(Path.of(out, "results.jsonl"));
    assertThat(results).hasSize(500);
    assertThat(results.stream().filter(line -> line.contains("FAILED")))
        .as("results come within half a second, a cancellation takes seconds")
        .hasSizeBetween(1, 11);
  }

  /** A disk that was full before the report was first written hid it. */
  @Test
  void report_that_cannot_be_written_is_printed_before_the_fault(@TempDir Path folder) {
    Path out = folder.resolve("out");
    String obstacle = out.resolve("report.json.tmp").toString();

    assertThat(RunCommand.run("--out", out.toString(), "--", "mkdir", "{}", ":::", obstacle))
        .isEqualTo(1);

    assertThat(printed.toString(UTF_8)).contains("1 succeeded");
    assertThat(said.toString(UTF_8)).contains("cannot create " + obstacle).doesNotContain("rerun");
  }

  @Test
  void help_needs_no_command() {
    assertThat(RunCommand.run("--help")).isZero();
    assertThat(printed.toString(UTF_8)).contains("cloudkon run [-s QUEUE]", "--array", "{//}");
  }

  @Test
  void an_operator_of_the_shell_that_reaches_the_program_is_pointed_out() {
    assertThat(RunCommand.run("--print", "--", "sort", "{}", ">", "out", ":::", "a")).isZero();
    assertThat(said.toString(UTF_8)).contains("cloudkon run: '>' is passed to the program");
  }

  @Test
  void placeholder_that_only_gnu_parallel_has_is_pointed_out() {
    assertThat(RunCommand.run("--print", "--", "echo", "{+}", "{}", ":::", "a")).isZero();
    assertThat(said.toString(UTF_8))
        .contains("GNU parallel would replace {+}; here it stays as it is. CloudKon has {} {.}");
  }

  @Test
  void nothing_is_pointed_out_where_a_shell_acts_on_it_or_nobody_wants_to_know() {
    assertThat(RunCommand.run("--print", "--shell", "--", "sort", "{}", ">", "out", ":::", "a"))
        .isZero();
    assertThat(RunCommand.run("--print", "--quiet", "--", "echo", ">", ":::", "a")).isZero();
    assertThat(RunCommand.run("--print", "--", "find", "{}", "-exec", "cat", ";", ":::", "a"))
        .isZero();
    assertThat(said.toString(UTF_8)).isEmpty();
  }
}
