package io.cloudkon.client.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a line may say of files, and what the first pass finds of them. */
class OwnFileNamesTest {
  @TempDir Path directory;
  private boolean collects;
  private Optional<String> unkept = Optional.empty();

  @BeforeEach
  void files() throws IOException {
    Files.createDirectory(directory.resolve("in"));
    Files.createFile(directory.resolve("in/a b"));
    Files.createFile(directory.resolve("tool"));
  }

  @Test
  void files_and_patterns_are_read_with_their_task() {
    Task task =
        read("{\"exec\": [\"x\"], \"files\": [\"./in//a b\"], \"collect\": [\"out/*.csv\"]}");

    assertThat(task.files().inputs()).containsExactly(InputFile.notStored("in/a b"));
    assertThat(task.files().collect()).containsExactly("out/*.csv");
    assertThat(read("{\"exec\": [\"x\"]}").files().collect()).isNull();
    assertThat(read("{\"exec\": [\"x\"], \"collect\": []}").files().collect()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "files": ["/etc/passwd"]     | 'files': '/etc/passwd' is absolute; expected paths of files below
          "files": ["../x"]            | leads out of the directory with '..'
          "files": ["in/"]             | names no file
          "files": ["nowhere"]         | its file 'nowhere' does not exist; expected a file that can be read, named from
          "files": ["in"]              | its file 'in' is a folder, which --ship can send
          "files": ["tool"]            | its file 'tool' conflicts with tool, which --ship sends
          "files": ["in/a b","in/a b"] | names 'in/a b' twice
          "files": "in/a b"            | 'files' holds a string; expected an array of strings
          "collect": ["/out"]          | 'collect': '/out' is absolute; expected patterns of files in the task's directory
          "collect": ["out/../../*"]   | leads out of the directory with '..'
          "collect": ["a["]            | has a [ without ]
          "collect": ["x"],"dir":"/t"  | 'dir' is absolute, but files are in a fresh directory of the task's own
          "collect": ["x"],"ranks": 2  | 'collect' does not belong to this kind of work
          """)
  void what_cannot_be_is_refused_with_its_line(String fields, String why) {
    assertThatThrownBy(() -> read("{\"exec\": [\"x\"], %s}".formatted(fields)))
        .isInstanceOf(UsageException.class)
        .satisfies(e ->
            assertThat(e.getMessage().replace('"', '\'')).startsWith("tasks:1: ").contains(why));
  }

  @Test
  void files_belong_to_commands() {
    assertThatThrownBy(() -> read("{\"sleep\": 1, \"files\": [\"in/a b\"]}"))
        .hasMessageContaining("expected it with exec and shell, without ranks only");
  }

  @Test
  void line_is_written_as_it_was_read() throws Exception {
    Task task =
        new Task(0, "1", Work.Exec.shell("x"), 0, Task.RUNS_RETRIES)
            .with(
                read("{\"shell\": \"x\", \"files\": [\"in/a b\"], \"collect\": [\"o\"]}").files());

    assertThat(TaskLine.of(task)).contains("\"files\":[\"in/a b\"]", "\"collect\":[\"o\"]");
  }

  @Test
  void absolute_dir_is_refused_where_the_run_collects_files() throws Exception {
    String line = "{\"shell\": \"x\", \"dir\": \"/srv\"}";
    assertThat(read(line).work()).isInstanceOf(Work.Exec.class);
    collects = true;

    assertThatThrownBy(() -> read(line))
        .hasMessageContaining("\"dir\" is absolute, but --collect takes files from");
    assertThat(read("{\"shell\": \"x\", \"dir\": \"in\"}").work()).isInstanceOf(Work.Exec.class);
  }

  /** Such files were fetched, reported as brought back, and thrown away. */
  @Test
  void collect_is_refused_where_the_files_could_not_be_kept() throws Exception {
    unkept = Optional.of("this run has none");

    assertThatThrownBy(() -> read("{\"shell\": \"x\", \"collect\": [\"o\"]}"))
        .hasMessageContaining("\"collect\" brings files to the run's folder, but this run has none")
        .hasMessageContaining("expected a folder for them, or no collect");
    assertThat(read("{\"shell\": \"x\", \"collect\": []}").files().collect()).isEmpty();
  }

  private Task read(String line) {
    RunChecks checks =
        new RunChecks(
            Consistency.EXACTLY_ONCE,
            OptionalInt.empty(),
            Optional.of(new TaskFilesCheck(directory, Set.of("tool"), collects, unkept)));
    ByteArrayInputStream lines =
        new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8));
    try (Workload workload = Workload.open("tasks", lines, checks);
        TaskReader reader = workload.read()) {
      assertThat(List.of(workload.summary().orElseThrow().withFiles())).isSubsetOf(List.of(0, 1));
      return reader.next();
    }
  }
}
