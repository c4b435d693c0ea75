package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, because it lists the folders of its directory. */
class RunsCommandTest {
  @TempDir private Path here;

  private void folder(String run, String queue) throws IOException {
    RunFolder made =
        RunFolder.choose(run, Optional.of(here.resolve("cloudkon-" + run).toString()), false);
    made.prepare();
    try (Journal journal = made.openJournal()) {
      journal.append(
          List.of(
              new RunHeader(
                  run,
                  "e1",
                  Consistency.EXACTLY_ONCE,
                  ClaimScope.BUNDLE,
                  "c",
                  queue,
                  "d1",
                  "/tasks.jsonl",
                  2,
                  1000,
                  0,
                  0,
                  List.of())));
    }
  }

  /** The command's output, and its exit code in the last line. */
  private String runs(String words) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String command =
        "'%s' -cp '%s' %s runs %s; echo \"exit code $?\""
            .formatted(
                java, System.getProperty("java.class.path"), ClientMain.class.getName(), words);
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command)
            .directory(here.toFile())
            .redirectErrorStream(true)
            .start();
    try (InputStream said = process.getInputStream()) {
      return new String(said.readAllBytes(), UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void runs_of_local_are_those_of_no_cluster() throws IOException {
    folder("mine", Names.LOCAL);
    folder("theirs", "Q");

    assertThat(runs("")).contains("mine", "theirs").endsWith("exit code 0\n");
    assertThat(runs("-s LOCAL")).contains("mine").doesNotContain("theirs");
  }

  @Test
  void local_is_said_to_be_no_cluster() throws IOException {
    folder("theirs", "Q");

    assertThat(runs("-s LOCAL")).isEqualTo("No local runs here\nexit code 0\n");
  }

  @Test
  void full_disk_behind_standard_output_is_told() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full here");

    assertThat(runs("--json >/dev/full"))
        .matches("cloudkon runs: standard output cannot be written: .+\nexit code 1\n");
  }
}
