package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that end without unmounting what they have mounted: for root on Linux only. */
class LeftMountsTest {
  private static final RunnerConfig CONFIG = Runs.CONFIG.with(Mounting.OFF);

  @TempDir Path temp;
  private Runs runs;
  private Path data;

  @BeforeEach
  void open() throws IOException {
    data = Files.createDirectory(temp.resolve("data"));
    Files.createDirectory(data.resolve("folder"));
    Files.writeString(data.resolve("folder/inside"), "precious");
    Files.writeString(data.resolve("file"), "precious");
    runs = new Runs(CONFIG);
  }

  @AfterEach
  void close() throws IOException {
    runs.close();
  }

  private static void assumeMounts() {
    assumeTrue(
        CONFIG.with(Mounting.ON).shippedFiles() == ShippedFiles.MOUNTED,
        "not tried: nothing can be mounted here; needs Linux and root");
  }

  private void assertDataIsKept() throws IOException {
    assertThat(data.resolve("file")).hasContent("precious");
    assertThat(data.resolve("folder/inside")).hasContent("precious");
    assertThat(runs.runner.scratch()).isEmptyDirectory();
    assertThat(LeftMounts.at(runs.runner.scratch())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir m; mount --bind DATA m",
        "mkdir m; mount --bind DATA m; mount --bind DATA m; mount -t tmpfs x m/folder; echo >"
            + " m/folder/x",
        "mkdir -p 'a b/\\/ü'; mount --bind DATA 'a b/\\/ü'; chmod 0 'a b'",
        "mount --bind DATA \"$PWD\"",
        "touch f; mount --bind DATA/file f"
      })
  void mounted_folder_keeps_its_files_and_the_directory_is_removed(String line) throws Exception {
    assumeMounts();
    TaskOutcome outcome = runs.run(Tasks.shell(line.replace("DATA", data.toString()) + "; exit 7"));

    assertThat(outcome.exitCode()).as(Runs.text(outcome.stderr())).isEqualTo(7);
    assertDataIsKept();
  }

  @Test
  void mounts_inside_a_shared_folder_that_was_mounted_recursively_stay() throws Exception {
    assumeMounts();
    Path inner = Files.createDirectory(data.resolve("inner"));
    String setUp =
        "mount --bind %1$s %1$s && mount --make-shared %1$s && mount -t tmpfs x %1$s/inner"
            .formatted(data);
    assertThat(runs.run(Tasks.shell(setUp)).exitCode()).isZero();
    try {
      TaskOutcome outcome = runs.run(Tasks.shell("mkdir m; mount --rbind " + data + " m"));

      assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertDataIsKept();
      assertThat(LeftMounts.at(inner)).hasSize(1);
    } finally {
      TaskOutcome unused = runs.run(Tasks.shell("umount -R " + data));
    }
  }

  @Test
  void folder_mounted_over_a_shipped_one_keeps_its_files() throws Exception {
    assumeMounts();
    Path ship = Files.createDirectories(temp.resolve("ship/tool/folder"));
    for (int i = 0; i < 100; i++) {
      Files.writeString(ship.resolve("f" + i), "shipped");
    }
    TaskEnvironment around =
        new TaskEnvironment(
            "a-run", Limits.CAPTURE_BYTES, List.of(ship.getParent()), HandlerSource.OWN);
    String mount = "echo > new; mount --bind " + data + " tool/folder; exit 7";

    for (int i = 0; i < 2; i++) {
      assertThat(runs.run(around, Tasks.shell(mount)).exitCode()).isEqualTo(7);
      TaskOutcome next = runs.run(around, Tasks.shell("ls tool/folder | wc -l"));
      assertThat(Runs.text(next.stdout()).strip()).isEqualTo("100");
    }

    assertThat(data.resolve("file")).hasContent("precious");
    assertThat(data.resolve("folder/inside")).hasContent("precious");
  }

  @Test
  void list_is_read_with_its_escapes_and_outer_mounts_come_first() {
    String list =
        """
        22 1 0:21 / / rw - overlay overlay rw
        40 22 0:50 / /work/task-1/a\\040b/\\134x rw - tmpfs x rw
        41 22 0:51 / /work/task-1 rw - tmpfs x rw
        42 22 0:51 / /work/task-11 rw - tmpfs x rw
        """;
    assertThat(LeftMounts.at(Path.of("/work/task-1"), list))
        .containsExactly(Path.of("/work/task-1"), Path.of("/work/task-1/a b/\\x"));
    assertThat(LeftMounts.at(Path.of("/work/task"), list)).isEmpty();
  }

  /** By the functions of the guard's script, with an unmount that does nothing. */
  @Test
  void guard_leaves_what_it_cannot_unmount_and_removes_the_rest() throws Exception {
    assumeMounts();
    Path scratch = Files.createDirectory(temp.resolve("the scratch"));
    Path mounted = Files.createDirectories(scratch.resolve("task-1/m"));
    Files.createDirectories(scratch.resolve("task-2/m"));
    Path file = Files.createDirectories(scratch.resolve("worker")).resolve("file");
    Files.writeString(file, "x");
    String all;
    try (InputStream in =
        io.cloudkon.worker.execute.guard.Guard.class.getResourceAsStream("guard.sh")) {
      all = new String(in.readAllBytes(), UTF_8);
    }
    String functions = all.substring(all.indexOf("mounted() {"), all.indexOf("serve() {"));
    String line =
        "mount --bind \"$2\" \"$3\"\nas() { \"$@\"; }\numount() { :; }\n%s\nclear \"$1\""
            .formatted(functions);
    Process shell =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                line,
                "sh",
                scratch.toString(),
                data.toString(),
                mounted.toString())
            .inheritIO()
            .start();
    try {
      shell.waitFor();

      assertThat(data.resolve("file")).hasContent("precious");
      assertThat(data.resolve("folder/inside")).hasContent("precious");
      assertThat(mounted.resolve("file")).exists();
      assertThat(scratch.resolve("task-2")).doesNotExist();
      assertThat(file.getParent()).doesNotExist();
    } finally {
      assertThat(LeftMounts.detach(scratch)).isTrue();
    }
  }
}
