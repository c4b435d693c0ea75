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
import java.util.ArrayList;
import java.util.List;
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
    assertThat(pipe("exec false\\nnoop\\n")).isEqualTo(1);
  }

  /** The exit code of a client that reads a workload through a pipe. */
  private int pipe(String tasks, String... more) throws Exception {
    Path pipe = temp.resolve("tasks.jsonl");
    if (!Files.exists(pipe)) {
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    }
    Process writer =
        new ProcessBuilder("sh", "-c", "printf '%s' > \"$0\"".formatted(tasks), pipe.toString())
            .start();
    try {
      List<String> words =
          new ArrayList<>(
              List.of("-s", "LOCAL", "-t", "1", "-w", pipe.toString(), "--out", folder.toString()));
      words.addAll(List.of(more));
      return Cli.run(new ClientCommand(), words.toArray(String[]::new));
    } finally {
      writer.destroyForcibly();
    }
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  /** Under the path of a pipe there is another one by then. */
  @Test
  void is_kept_in_the_folder_as_it_came_and_recorded_under_that_path() throws IOException {
    Path kept = folder.resolve("workload.txt");
    assertThat(kept).hasContent("exec false\nnoop\n");
    assertThat(RunFolder.headerIn(folder).orElseThrow().file()).isEqualTo(kept.toString());
    assertThat(KeptOptions.rerun(folder)).hasValue("cloudkon rerun " + folder);
    assertThat(said.toString(UTF_8)).contains("1 failed", "Again       cloudkon rerun");
  }

  /** It was refused, although a rerun of {@code run} and {@code --serve} was possible. */
  @Test
  void rerun_runs_what_did_not_succeed() {
    said.reset();

    assertThat(Cli.run(new RerunCommand(), folder.toString())).isEqualTo(1);
    assertThat(said.toString(UTF_8)).contains("reruns 1 task of the 2", "1 failed");
  }

  @Test
  void other_format_of_a_former_run_makes_room() throws Exception {
    assertThat(pipe("{\"noop\": true}\\n", "--force")).as(said.toString(UTF_8)).isZero();

    assertThat(folder.resolve("workload.jsonl")).hasContent("{\"noop\": true}\n");
    assertThat(folder.resolve("workload.txt")).doesNotExist();
    assertThat(pipe("noop\\n", "--force")).as(said.toString(UTF_8)).isZero();
    assertThat(folder.resolve("workload.txt")).hasContent("noop\n");
    assertThat(folder.resolve("workload.jsonl")).doesNotExist();
  }

  @Test
  void file_of_the_users_is_not_replaced() throws Exception {
    Files.writeString(folder.resolve("workload.jsonl"), "mine");

    assertThat(pipe("{\"noop\": true}\\n", "--force")).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("workload.jsonl does not belong to an earlier run");
    assertThat(folder.resolve("workload.jsonl")).hasContent("mine");
  }

  @Test
  void stream_is_not_kept() throws Exception {
    assertThat(pipe("exec false\\n", "--force", "--stream")).isEqualTo(1);

    assertThat(RunFolder.headerIn(folder).orElseThrow().file()).isEqualTo("-");
    said.reset();
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
