package io.cloudkon.examples.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShipIT {
  private static final String TOTAL = "awk -f examples/ship/total.awk %s/results.jsonl";

  /** The last command but one, if it was not come to. */
  private static final String STOP = "./cloudkon local stop >/dev/null 2>&1";

  @TempDir private Path folder;
  private ExampleReadme readme;
  private Workspace workspace;

  @BeforeEach
  void open() throws IOException {
    readme = ExampleReadme.of("ship");
    workspace = new Workspace(folder);
  }

  @Test
  void c_program_counts_the_words_of_every_file_in_process() throws Exception {
    assumeTrue(
        Workspace.has("cc"),
        "the C program was not tried, at most the one in Python: there is no cc on the PATH");

    countsInProcess(readme.blockWith("cc -O2"));
  }

  @Test
  void python_program_counts_the_words_of_every_file_in_process() throws Exception {
    assumeTrue(
        Workspace.has("python3"),
        "the Python program was not tried: there is no python3 on the PATH");

    countsInProcess(readme.blockWith("words.py words"));
  }

  private void countsInProcess(String make) throws IOException, InterruptedException {
    Ended ended = workspace.run(make + inputs() + readme.blockWith("-s LOCAL")).requireSuccess();

    assertCounted(ended, "count");
  }

  @Test
  void program_counts_the_words_of_every_file_on_a_worker_of_the_emulated_cluster()
      throws Exception {
    Ended ended =
        workspace.run(anyProgram() + inputs() + readme.blockWith("-s Q"), STOP).requireSuccess();

    assertCounted(ended, "counted");
    // What was shipped went through a bucket.
    assertThat(workspace.file("counted/report.json")).content().contains("PutObject");
  }

  /** In C where that can be compiled, else in Python. */
  private String anyProgram() {
    if (Workspace.has("cc")) {
      return readme.blockWith("cc -O2");
    }
    assumeTrue(
        Workspace.has("python3"),
        "no program was shipped to a worker: there is neither cc nor python3 on the PATH");
    return readme.blockWith("words.py words");
  }

  private String inputs() {
    return readme.blockWith("mkdir texts");
  }

  /** Each word, and the ten that the commands print. */
  private void assertCounted(Ended ended, String out) throws IOException, InterruptedException {
    List<String> expected = Words.in(workspace.file("texts"));
    assertThat(expected).hasSizeGreaterThan(500).first().asString().endsWith(" the");

    Ended all = workspace.run(TOTAL.formatted(out) + "\n").requireSuccess();

    assertThat(all.stdout().lines()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(ended.stdout().lines().filter(line -> line.matches("[0-9]+ [a-z]+")))
        .containsExactlyElementsOf(expected.subList(0, 10));
  }

  @Test
  void output_that_was_cut_is_not_added_up() throws Exception {
    Files.createDirectory(folder.resolve("cut"));
    Files.writeString(
        folder.resolve("cut/results.jsonl"),
        "{\"task\":\"1\",\"stdout\":\"3 a\\n1 b\",\"stdoutCut\":true,\"stdoutBytes\":9}\n");

    Ended ended = workspace.run(TOTAL.formatted("cut") + "\n");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr()).contains("--capture");
  }
}
