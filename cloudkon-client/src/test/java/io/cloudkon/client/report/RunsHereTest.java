package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a message lists the runs of a folder. */
final class RunsHereTest {
  @TempDir private Path here;
  private int minute;

  /** A run's folder, newer than those before. */
  private Path run(String name) throws IOException {
    Path folder = Files.createDirectories(here.resolve(name));
    Files.createFile(folder.resolve(RunFolder.JOURNAL));
    Files.setLastModifiedTime(folder, FileTime.fromMillis(60_000L * ++minute));
    return folder;
  }

  private String inWords() {
    return RunsHere.with(RunFolder.JOURNAL, here);
  }

  @Test
  void runs_are_listed_by_what_resume_takes_and_the_newest_first() throws IOException {
    run("cloudkon-nightly");
    run("mine");
    Files.createDirectory(here.resolve("other"));

    assertThat(inWords()).isEqualTo("runs here: mine, nightly");
  }

  @Test
  void five_are_shown() throws IOException {
    for (int i = 1; i <= 7; i++) {
      run("cloudkon-r" + i);
    }

    assertThat(inWords()).isEqualTo("runs here: r7, r6, r5, r4, r3");
  }

  @Test
  void rerun_is_listed_with_its_runs_folder() throws IOException {
    run("cloudkon-r1");
    run("cloudkon-r1/rerun-1");
    Files.setLastModifiedTime(here.resolve("cloudkon-r1"), FileTime.fromMillis(60_000));

    assertThat(inWords()).isEqualTo("runs here: r1/rerun-1, r1");
  }

  @Test
  void folder_without_the_file_that_is_needed_is_left_out() throws IOException {
    run("cloudkon-stopped");
    Files.createFile(run("cloudkon-collected").resolve(RunFolder.RESULTS));

    assertThat(RunsHere.with(RunFolder.RESULTS, here)).isEqualTo("runs here: collected");
  }

  /** A cancel of this name took the run in the folder. */
  @Test
  void name_of_one_runs_folder_and_of_another_run_is_found_out() {
    run("b", "a");
    assertThat(RunsHere.otherNamed("b", here)).as("the folder alone").isEmpty();
    run("cloudkon-b", "b");
    run("cloudkon-c", "d");
    run("other", "c");

    assertThat(RunsHere.otherNamed("b", here)).hasValue(here.resolve("cloudkon-b"));
    assertThat(RunsHere.otherNamed("c", here)).hasValue(here.resolve("other"));
    assertThat(RunsHere.otherNamed("a", here)).as("an id alone").isEmpty();
    assertThat(RunsHere.otherNamed("cloudkon-b", here)).isEmpty();
    assertThat(RunsHere.otherNamed("nothing", here)).isEmpty();
  }

  private void run(String folder, String id) {
    SampleHeader.write(
        RunFolder.choose(id, Optional.of(here.resolve(folder).toString()), false),
        SampleHeader.of(id, "Q", "", "tasks.txt"));
  }

  @Test
  void none_are_said_to_be_here() {
    assertThat(inWords()).isEqualTo("there are none here");
    assertThat(RunsHere.with(RunFolder.JOURNAL, here.resolve("gone")))
        .isEqualTo("there are none here");
  }

  @Test
  void name_that_would_drive_a_terminal_is_made_harmless() throws IOException {
    run("a\u001b[2Jb");

    assertThat(inWords()).doesNotContain("\u001b");
  }
}
