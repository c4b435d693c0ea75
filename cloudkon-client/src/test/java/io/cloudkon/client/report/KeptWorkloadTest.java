package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptWorkloadTest {
  @TempDir private Path home;
  private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    folder = home.resolve("out");
    file = folder.resolve("workload.jsonl");
  }

  private void run(String tasks) {
    RunFolder.choose("r", Optional.of(folder.toString()), true)
        .keeping(KeptWorkload.of(to -> Files.writeString(to, tasks)))
        .prepare();
  }

  /** A run from files of the user's, or one with tasks of its own. */
  private void submit(RunFolder chosen) {
    chosen.recording(home, Map.of()).prepare();
  }

  private RunFolder again(Path at) {
    return RunFolder.choose("r", Optional.of(at.toString()), true);
  }

  private static KeptFile tasks(String tasks) {
    return KeptWorkload.of(to -> Files.writeString(to, tasks));
  }

  private void journalNames(Path workload) {
    SampleHeader.append(
        RunFolder.choose("r", Optional.of(folder.toString()), true),
        SampleHeader.of("r", "Q", "ab".repeat(32), workload.toString()));
  }

  @Test
  void tasks_are_copied_into_the_folder() {
    assertThat(KeptWorkload.in(folder)).isEmpty();
    run("one\n");
    assertThat(KeptWorkload.in(folder)).hasValue(file);
    assertThat(file).hasContent("one\n");
  }

  @Test
  void copy_of_a_former_run_is_replaced() throws IOException {
    Files.createDirectory(folder);
    journalNames(file);
    Files.writeString(file, "one\n");
    run("two\n");
    assertThat(file).hasContent("two\n");
  }

  @Test
  void copy_of_a_run_that_never_sent_anything_is_replaced() {
    submit(again(folder).keeping(tasks("one\n")));
    submit(again(folder).keeping(tasks("two\n")));
    assertThat(file).hasContent("two\n");
  }

  @Test
  void copy_is_replaced_after_a_run_of_a_file_and_in_a_folder_that_was_moved() throws IOException {
    submit(again(folder).keeping(tasks("one\n")));
    journalNames(file);
    submit(again(folder));
    journalNames(home.resolve("tasks.txt"));
    Path moved = Files.move(folder, home.resolve("moved"));

    submit(again(moved).keeping(tasks("two\n")));

    assertThat(moved.resolve("workload.jsonl")).hasContent("two\n");
  }

  @Test
  void file_of_the_users_stays_after_a_run_in_its_folder() throws IOException {
    submit(again(folder));
    Files.writeString(file, "mine\n");
    submit(again(folder));

    assertThatThrownBy(() -> again(folder).keeping(tasks("one\n")))
        .isInstanceOf(UsageException.class);
    assertThat(file).hasContent("mine\n");
  }

  @Test
  void file_of_the_users_stays_and_so_does_all_else() throws IOException {
    Files.createDirectory(folder);
    journalNames(home.resolve("tasks.txt"));
    Files.writeString(file, "mine\n");

    assertThatThrownBy(() -> run("one\n"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(
            "workload.jsonl does not belong to an earlier run and would be replaced");

    assertThat(file).hasContent("mine\n");
    assertThat(folder.resolve("journal")).isNotEmptyFile();
  }
}
