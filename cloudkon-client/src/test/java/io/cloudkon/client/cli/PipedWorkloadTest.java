package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.answers.AnswerFormat;
import io.cloudkon.client.answers.Choice;
import io.cloudkon.client.answers.FinishedRun;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A run whose workload came through a pipe, as a shell's {@code <(…)} does. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class PipedWorkloadTest {
  @TempDir private Path temp;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Path folder = Path.of("");

  @BeforeEach
  void run() throws Exception {
    System.setOut(new PrintStream(said, true, UTF_8));
    System.setErr(new PrintStream(said, true, UTF_8));
    folder = temp.resolve("out");
    Path pipe = temp.resolve("tasks.jsonl");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process writer =
        new ProcessBuilder("sh", "-c", "printf 'exec false\\nnoop\\n' > \"$0\"", pipe.toString())
            .start();
    try {
      String[] words = {
        "-s", "LOCAL", "-t", "1", "-w", pipe.toString(), "--out", folder.toString()
      };
      assertThat(Cli.run(new ClientCommand(), words)).as(said.toString(UTF_8)).isEqualTo(1);
    } finally {
      writer.destroyForcibly();
    }
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  /** It kept the path, under which there is another pipe by then, and advised a rerun. */
  @Test
  void is_recorded_as_that_of_no_file_and_no_rerun_is_advised() {
    assertThat(RunFolder.headerIn(folder).orElseThrow().file()).isEqualTo("-");
    assertThat(KeptOptions.rerun(folder)).isEmpty();
    assertThat(said.toString(UTF_8)).contains("1 failed").doesNotContain("Again");
  }

  @Test
  void rerun_is_refused_and_says_why() {
    assertThat(Cli.run(new RerunCommand(), folder.toString())).isEqualTo(2);
    assertThat(said.toString(UTF_8))
        .contains("cannot be run again: the workload was not in a file");
  }

  @Test
  void results_and_plan_go_without_it() throws IOException {
    ByteArrayOutputStream table = new ByteArrayOutputStream();
    FinishedRun.of(folder.toString())
        .write(
            Choice.of(false, Optional.empty(), "index", Optional.empty()),
            AnswerFormat.TSV,
            true,
            table,
            OptionalInt.empty(),
            line -> {});
    assertThat(table.toString(UTF_8)).contains("FAILED", "SUCCEEDED");

    Path tasks = Files.writeString(temp.resolve("more.txt"), "noop\n".repeat(10));
    String[] words = {tasks.toString(), "--workers", "1", "--like", folder.toString()};
    assertThat(Cli.run(new PlanCommand(), words)).as(said.toString(UTF_8)).isZero();
  }
}
