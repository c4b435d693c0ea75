package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RerunCommandTest {
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

  /** A run of two tasks, of which the second has this status. */
  private String run(String status) throws IOException {
    String out = folder.resolve("out").toString();
    String[] words = {"-q", "--out", out, "-t", "1", "--", "test", "a", "=", "{}", ":::", "a", "b"};
    assertThat(RunCommand.run(words)).isEqualTo(1);
    Path results = Path.of(out, "results.jsonl");
    Files.writeString(results, Files.readString(results).replace("FAILED", status));
    said.reset();
    return out;
  }

  @Test
  void tasks_that_may_have_run_already_are_pointed_out() throws IOException {
    assertThat(Cli.run(new RerunCommand(), run("LOST"))).isEqualTo(1);
    assertThat(said.toString(UTF_8))
        .contains("cloudkon rerun: reruns 1 task of the 2")
        .contains(
            "cloudkon rerun: 1 task LOST or without a result may have run already: check whether"
                + " it took effect");
  }

  @Test
  void file_that_several_commands_share_gives_a_rerun_its_own_options_only() throws IOException {
    String out = run("FAILED");
    Path config = folder.resolve("config");
    Files.writeString(
        config, "out = elsewhere\nforce = true\nrun-id = taken\ntimeout = 7m\nquiet = true\n");

    assertThat(Cli.run(new RerunCommand(), out, "--config", config.toString())).isEqualTo(1);

    Path rerun = Path.of(out, "rerun-1");
    assertThat(said.toString(UTF_8)).doesNotContain("reruns 1 task");
    assertThat(RunFolder.headerIn(rerun).orElseThrow().timeoutMillis()).isEqualTo(420_000);
    assertThat(RunFolder.headerIn(rerun).orElseThrow().run()).isNotEqualTo("taken");
    assertThat(KeptOptions.in(rerun).orElseThrow().options())
        .containsEntry("--timeout", List.of("7m"));
  }

  @Test
  void tasks_that_failed_are_not() throws IOException {
    assertThat(Cli.run(new RerunCommand(), run("FAILED"))).isEqualTo(1);
    assertThat(said.toString(UTF_8)).contains("reruns 1 task").doesNotContain("may have run");
  }
}
