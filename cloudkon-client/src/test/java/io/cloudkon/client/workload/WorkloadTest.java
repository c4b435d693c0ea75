package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
  @TempDir private Path dir;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }

  private static Workload open(Path path) {
    return Workload.open(path.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
  }

  private static void assertRefused(Path path, String problem) {
    assertThatThrownBy(() -> open(path))
        .isInstanceOf(UsageException.class)
        .hasMessage(path + problem);
  }

  private static void assertChanged(Path path, TaskReader reader) {
    assertThatThrownBy(
            () -> {
              try (reader) {
                MemorySource.rest(reader);
              }
            })
        .isInstanceOf(LocalFileException.class)
        .hasMessageStartingWith(path + ": the workload changed after it was checked;");
  }

  @Test
  void summary_counts_tasks_and_digests_bytes() throws Exception {
    String content = "noop\n# c\nsleep 1\n\nhpc 2 noop\nexec a\njava b";
    try (Workload workload = open(file("w.txt", content))) {
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
      assertThat(workload.summary())
          .contains(
              new WorkloadSummary(
                  5,
                  Map.of(2, 1),
                  Map.of(
                      Work.Kind.NOOP, 2, Work.Kind.SLEEP, 1, Work.Kind.EXEC, 1, Work.Kind.JAVA, 1),
                  HexFormat.of().formatHex(sha256),
                  0,
                  0,
                  1,
                  0));
    }
  }

  @Test
  void passes_are_fresh_and_equal() throws Exception {
    try (Workload workload = open(file("w.jsonl", "{\"noop\":true}\n{\"sleep\":5}\n"))) {
      for (int pass = 0; pass < 3; pass++) {
        try (TaskReader reader = workload.read()) {
          assertThat(MemorySource.rest(reader))
              .containsExactly(
                  MemorySource.silent(0, "1", Work.Noop.INSTANCE, 0),
                  MemorySource.silent(1, "2", new Work.Sleep(5), 0));
          assertThat(reader.next()).isNull();
        }
      }
    }
  }

  @Test
  void reading_from_any_task_yields_the_rest() throws Exception {
    String content = "\ufeffnoop\r\n\n# c\nsleep 1\nsleep 2\r\n  sleep 3\nexec é\nsleep 4";
    try (Workload workload = open(file("w.txt", content));
        TaskReader reader = workload.read()) {
      List<Task> all = MemorySource.text(content).tasks();
      for (Task task = reader.next(); task != null; task = reader.next()) {
        try (TaskReader again = workload.readFrom(reader.offset(), task.ordinal(), reader.line())) {
          assertThat(MemorySource.rest(again))
              .usingRecursiveFieldByFieldElementComparator()
              .isEqualTo(all.subList(task.ordinal(), all.size()));
        }
      }
      assertThat(reader.offset()).isEqualTo(content.getBytes(UTF_8).length);
    }
  }

  @Test
  void format_follows_the_ending_unless_it_is_given() throws Exception {
    Path json = file("w.JSONL", "{\"noop\": true}");
    open(json).close();
    Path text = file("w.json", "{\"noop\": true}");
    assertThatThrownBy(() -> open(text)).hasMessageContaining("must be named *.jsonl");
    InputStream none = InputStream.nullInputStream();
    Workload.open(text.toString(), none, WorkloadFormat.JSONL).close();
    assertThatThrownBy(() -> Workload.open(json.toString(), none, WorkloadFormat.TEXT))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void files_that_cannot_be_read_are_refused() throws Exception {
    String expected = "; expected the workload file, or - for standard input";
    assertRefused(dir.resolve("none.txt"), ": no such file" + expected);
    assertRefused(dir, ": is a directory" + expected);
    assertRefused(file("plain", "noop").resolve("below"), ": no such file" + expected);
    Path loop = dir.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    assertThatThrownBy(() -> open(loop))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(loop + ": cannot be read: ")
        .hasMessageEndingWith(expected);
    assertThatThrownBy(
            () -> Workload.open("a\0b", InputStream.nullInputStream(), WorkloadFormat.AUTO))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("a\\u0000b: is not a file name: ");
    assertThatThrownBy(() -> Workload.open("", InputStream.nullInputStream(), WorkloadFormat.AUTO))
        .hasMessage("\"\": is a directory" + expected);
  }

  @Test
  void file_without_permission_is_refused_to_all_but_the_superuser() throws Exception {
    Path path = file("secret.txt", "noop");
    Files.setPosixFilePermissions(path, Set.of());
    if (Files.isReadable(path)) {
      open(path).close();
    } else {
      assertRefused(
          path,
          ": cannot be read: permission denied;"
              + " expected the workload file, or - for standard input");
    }
  }

  @Test
  void files_without_a_task_are_refused() throws Exception {
    String problem = ": contains no task; expected at least one line, such as sleep 100";
    assertRefused(file("empty.txt", ""), problem);
    assertRefused(file("empty.jsonl", ""), problem);
    assertRefused(file("blank.txt", "\n \r\n# comment\n\t# comment"), problem);
    assertRefused(file("blank.jsonl", "\n \n"), problem);
    assertRefused(file("bom.txt", "\ufeff"), problem);
  }

  @Test
  void binary_file_is_refused() throws Exception {
    Path path = dir.resolve("binary");
    Files.write(path, new byte[] {'n', 'o', 'o', 'p', '\n', 0x7f, 'E', 'L', 'F', 0, 1});
    assertRefused(
        path, ":2: this looks like a binary file: the line has a NUL byte; expected text in UTF-8");
    Files.write(path, new byte[] {'n', 'o', 'o', 'p', '\n', '\n', (byte) 0xff});
    assertRefused(
        path,
        ":3: the line has bytes that are not UTF-8, as text in another encoding does; expected text"
            + " in UTF-8; to convert it from Latin-1: iconv -f ISO-8859-1 -t UTF-8");
  }

  @Test
  void line_beyond_the_limit_is_refused() {
    WorkloadLimits limits = new WorkloadLimits(1 << 19, 9, 9, 256);
    MemorySource longer = MemorySource.text("noop\nexec " + "x".repeat(1 << 19) + "\nnoop\n");
    assertThatThrownBy(() -> Workload.open(longer, WorkloadFormat.AUTO, limits))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "w.txt:2: the line is longer than 524288 bytes;"
                + " expected less: put large input into a file that the task reads");
    MemorySource longest = MemorySource.text("exec " + "x".repeat((1 << 19) - 5) + "\n");
    Workload.open(longest, WorkloadFormat.AUTO, limits).close();
    assertThat(Workload.MAX_LINE_BYTES).isEqualTo(256 << 20);
  }

  @Test
  void line_of_60_megabytes_with_50_of_input_becomes_a_task() throws Exception {
    String input = "0123456789abcdef\u00e9\n".repeat(2_500_000);
    Path path =
        file(
            "w.jsonl",
            "{\"sleep\": 1}\n{\"exec\": [\"wc\"], \"stdin\": \""
                + input.replace("\u00e9", "\\u00e9").replace("\n", "\\n")
                + "\", \"retries\": 1}\n{\"noop\": true}\n");
    assertThat(Files.size(path)).isGreaterThan(60_000_000);
    try (Workload workload = open(path);
        TaskReader reader = workload.read()) {
      assertThat(workload.summary())
          .hasValueSatisfying(summary -> {
            assertThat(summary.largeTasks()).isEqualTo(1);
            assertThat(summary.needsBlobStore()).isTrue();
          });
      assertThat(reader.next()).isEqualTo(MemorySource.silent(0, "1", new Work.Sleep(1), 0));
      Task large = reader.next();
      assertThat(((Work.Exec) large.work()).stdin()).isEqualTo(input.getBytes(UTF_8));
      assertThat(large.retries()).isEqualTo(1);
      assertThat(reader.next()).isEqualTo(MemorySource.silent(2, "3", Work.Noop.INSTANCE, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "w.txt, 'exec ', x, 1",
    "w.txt, 'exec ', \u00e9, 2",
    "w.txt, 'java a', ' a', 3",
    "w.txt, 'java a ', x, 1",
  })
  void task_is_large_where_it_does_not_fit_into_a_message(
      String name, String begin, String piece, int encodedPiece) {
    int most = Limits.TASK_BYTES / encodedPiece;
    assertThat(largeTasks(name, begin + piece.repeat(most - 100))).isZero();
    assertThat(largeTasks(name, begin + piece.repeat(most))).isEqualTo(1);
  }

  private static int largeTasks(String name, String line) {
    MemorySource source = new MemorySource(name, (line + "\nnoop\n").getBytes(UTF_8));
    WorkloadLimits limits = new WorkloadLimits(4 << 20, 9, 9, 1 << 16);
    try (Workload workload = Workload.open(source, WorkloadFormat.AUTO, limits);
        TaskReader reader = workload.read()) {
      int found = workload.summary().orElseThrow().largeTasks();
      boolean fits = BundleCodec.sizeOf(reader.next()) <= Limits.TASK_BYTES;
      assertThat(found == 0).as("told, and found").isEqualTo(fits);
      return found;
    }
  }

  @Test
  void job_of_more_ranks_than_this_process_will_have_slots_is_refused() throws Exception {
    Path path = file("w.txt", "hpc 4 noop\nsleep 1\nhpc 99 noop\n");
    open(path).close();
    assertThatThrownBy(() -> openLocal(path, 4).close())
        .isInstanceOf(UsageException.class)
        .hasMessage(
            path
                + ":3: the job has 99 ranks, but this process has 4 slots;"
                + " expected at most as many, or more slots: -t 99");
    openLocal(path, 99).close();
    Path mpi = file("w.jsonl", "{\"mpi\": [\"./a\"], \"ranks\": 2}\n");
    assertThatThrownBy(() -> openLocal(mpi, 1).close())
        .hasMessageContaining(":1: the job has 2 ranks, but this process has 1 slot;");
    try (Workload streamed =
            Workload.stream(
                path.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO, local(4));
        TaskReader reader = streamed.read()) {
      assertThatThrownBy(() -> MemorySource.rest(reader))
          .hasMessageContaining(":3: the job has 99");
    }
  }

  private static Workload openLocal(Path path, int slots) {
    return Workload.open(
        path.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO, local(slots));
  }

  private static RunChecks local(int slots) {
    return new RunChecks(Consistency.EXACTLY_ONCE, OptionalInt.of(slots), Optional.empty());
  }

  @Test
  void too_many_tasks_are_refused() throws Exception {
    WorkloadLimits two = new WorkloadLimits(100, 2, 4, 8);
    Workload.open(MemorySource.text("noop\n\nnoop\n"), WorkloadFormat.AUTO, two).close();
    assertThatThrownBy(() ->
            Workload.open(MemorySource.text("noop\n\nnoop\nnoop\n"), WorkloadFormat.AUTO, two))
        .isInstanceOf(UsageException.class)
        .hasMessage("w.txt:4: the workload has more than 2 tasks; expected it in several files");
    assertThat(Workload.MAX_TASKS).isEqualTo(2_147_483_639);
  }

  @Test
  void file_with_another_time_or_size_is_noticed_when_it_is_opened_again() throws Exception {
    Path path = file("w.txt", "sleep 1\n");
    FileTime before = Files.getLastModifiedTime(path);
    try (Workload workload = open(path)) {
      Files.setLastModifiedTime(path, FileTime.fromMillis(before.toMillis() + 5000));
      assertThatThrownBy(workload::read)
          .hasMessageStartingWith(path + ": the workload changed after it was checked;");
      assertThatThrownBy(() -> workload.readFrom(0, 0, 1)).isInstanceOf(CloudKonException.class);
      Files.setLastModifiedTime(path, before);
      workload.read().close();
      Files.writeString(path, "noop\n", StandardOpenOption.APPEND);
      Files.setLastModifiedTime(path, before);
      assertThatThrownBy(workload::read).isInstanceOf(CloudKonException.class);
    }
  }

  @Test
  void file_replaced_or_gone_is_noticed() throws Exception {
    Path path = file("w.txt", "sleep 1\n");
    try (Workload workload = open(path)) {
      Path other = file("other.txt", "sleep 2\n");
      Files.setLastModifiedTime(other, Files.getLastModifiedTime(path));
      Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(workload::read)
          .hasMessageStartingWith(path + ": the workload changed after it was checked;");
      Files.delete(path);
      assertThatThrownBy(workload::read)
          .isInstanceOf(LocalFileException.class)
          .hasMessageStartingWith(path + ": no such file");
    }
  }

  @Test
  void file_with_other_bytes_under_the_same_time_and_size_is_noticed_in_the_end() throws Exception {
    Path path = file("w.txt", "sleep 1\n");
    FileTime before = Files.getLastModifiedTime(path);
    try (Workload workload = open(path)) {
      Files.writeString(path, "sleep 2\n");
      Files.setLastModifiedTime(path, before);
      TaskReader reader = workload.read();
      assertThat(reader.next()).isNotNull();
      assertChanged(path, reader);
      Files.writeString(path, "sleepx1\n");
      Files.setLastModifiedTime(path, before);
      assertChanged(path, workload.read());
    }
  }

  @Test
  void failure_is_thrown_again_by_every_later_call() {
    List<String> messages = new ArrayList<>();
    try (Workload workload = MemorySource.text("bad\nnoop\n").stream();
        TaskReader reader = workload.read()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(reader::next).satisfies(e -> messages.add(e.getMessage()));
      }
    }
    assertThat(messages).hasSize(2);
    assertThat(messages.get(0)).startsWith("w.txt:1: ").isEqualTo(messages.get(1));
  }
}
