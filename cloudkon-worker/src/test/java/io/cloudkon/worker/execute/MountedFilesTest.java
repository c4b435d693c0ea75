package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that see shipped files by an overlay mount: for root on Linux only. */
class MountedFilesTest {
  private static final RunnerConfig CONFIG = Runs.CONFIG.with(Mounting.ON);

  @TempDir Path temp;
  private Runs runs;
  private Path all;
  private Path data;
  private Path tool;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(
        CONFIG.shippedFiles() == ShippedFiles.MOUNTED,
        "not tried: no overlay can be mounted here; needs Linux and root");
    runs = new Runs(CONFIG);
    all = runs.runner.scratch();
    data = Files.createDirectories(temp.resolve("1/data"));
    Files.createDirectory(data.resolve("sub"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(data.resolve("sub/f" + i), "input\n");
    }
    tool = Files.createDirectories(temp.resolve("2")).resolve("tool.sh");
    Files.writeString(tool, "echo tool\n");
  }

  @AfterEach
  void close() throws IOException {
    if (runs != null) {
      runs.close();
      assertThat(mounts()).doesNotContain(all.toString());
    }
  }

  private String run(String line) throws Exception {
    return run(line, List.of(data, tool));
  }

  private String run(String line, List<Path> ships) throws Exception {
    TaskOutcome outcome = runs.run(around(ships), Tasks.shell(line));
    assertThat(outcome.status()).as(outcome.error()).isEqualTo(TaskStatus.SUCCEEDED);
    return Runs.text(outcome.stdout());
  }

  private static TaskEnvironment around(List<Path> ships) {
    return new TaskEnvironment("a-run", Limits.CAPTURE_BYTES, ships, HandlerSource.OWN);
  }

  private String mounts() throws IOException {
    return Files.readString(Path.of("/proc/self/mounts"), UTF_8);
  }

  @Test
  void files_are_plain_ones_where_the_command_starts() throws Exception {
    assertThat(run("find data -type f | wc -l; cat data/../tool.sh; sh tool.sh; stat -c %a ."))
        .isEqualTo("20\necho tool\ntool\n700\n");
  }

  @Test
  void next_command_sees_nothing_of_what_the_last_one_did() throws Exception {
    String before = "cat data/sub/f* | wc -l; ls -A . data; ";
    String first = run(before);

    run(before + "echo more >> data/sub/f1; rm data/sub/f2; mv data/sub data/moved; echo x > new");
    run(before + "rm -r data tool.sh; chmod 500 .");

    assertThat(run(before)).isEqualTo(first);
    assertThat(run("stat -c %a .")).isEqualTo("700\n");
    assertThat(data.resolve("sub/f1")).hasContent("input\n");
    assertThat(data.resolve("sub/f2")).exists();
    await().until(() -> !mounts().contains(temp.toString()));
  }

  @Test
  void commands_at_a_time_have_directories_of_their_own() throws Exception {
    CompletableFuture<TaskOutcome> one =
        runs.start(
            around(List.of(data)), Tasks.shell("echo one > data/own; sleep 0.3; cat data/own"));
    CompletableFuture<TaskOutcome> two =
        runs.start(
            around(List.of(data)), Tasks.shell("echo two > data/own; sleep 0.3; cat data/own"));

    assertThat(Runs.text(one.join().stdout())).isEqualTo("one\n");
    assertThat(Runs.text(two.join().stdout())).isEqualTo("two\n");
  }

  @Test
  void process_left_behind_cannot_write_to_the_next_commands_directory() throws Exception {
    // it leaves its group and drops its mark, so that nobody finds it
    String writer =
        "env -i /usr/bin/setsid sh -c 'sleep 0.2; echo late > data/late; echo late > \"$1\"/late' x"
            + " \"$PWD\" </dev/null >/dev/null 2>&1 &";
    run(writer);

    String seen = run("sleep 0.6; ls data; ls");

    assertThat(seen).doesNotContain("late");
    assertThat(data.resolve("late")).doesNotExist();
  }

  @Test
  void collected_files_are_read_while_the_mount_is_there() throws Exception {
    assertThat(run("mkdir out; echo result > out/a; cat out/a")).isEqualTo("result\n");
    awaitEmptyScratch();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"head -c 2000000 /dev/zero > large", "touch $(seq 20)", "mkdir -p $(seq 20)"})
  void directory_with_much_in_it_is_removed_before_the_slot_is_free(String line) throws Exception {
    run(line);

    assertThat(runs.runner.scratch()).isEmptyDirectory();
    assertThat(mounts()).doesNotContain(runs.runner.scratch().toString());
  }

  @Test
  void directories_that_were_not_removed_yet_are_removed_when_the_worker_ends() throws Exception {
    for (int i = 0; i < 20; i++) {
      run("echo x > new");
    }
    Path scratch = runs.runner.scratch();

    runs.close();

    assertThat(scratch).doesNotExist();
  }

  private void awaitEmptyScratch() throws IOException {
    Path scratch = runs.runner.scratch();
    await().untilAsserted(() -> assertThat(scratch).isEmptyDirectory());
  }

  @Test
  void files_with_others_around_them_are_copied() throws Exception {
    Files.writeString(temp.resolve("1/beside"), "not shipped");

    assertThat(run("ls -A; grep -c $PWD /proc/self/mounts || true"))
        .isEqualTo("data\ntool.sh\n0\n");
  }

  @Test
  void two_of_one_name_fail_the_task() throws Exception {
    Path twin = Files.createDirectories(temp.resolve("3/data"));

    TaskOutcome outcome = runs.run(around(List.of(data, twin)), Tasks.shell("true"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).contains("data");
  }

  @Test
  void nothing_is_left_after_a_command_even_if_it_mounted_over_its_directory() throws Exception {
    run("echo x > new; mount -t tmpfs x \"$PWD\"");

    awaitEmptyScratch();
    assertThat(mounts()).doesNotContain(runs.runner.scratch().toString());
  }

  @Test
  void namespace_that_a_command_made_shows_the_next_one_nothing() throws Exception {
    run(
        "env -i /usr/bin/setsid unshare --mount sh -c 'cd \"$1\"; sleep 0.3; echo late > late' x"
            + " \"$PWD\" </dev/null >/dev/null 2>&1 & sleep 0.1");

    assertThat(run("sleep 0.6; ls data; ls")).doesNotContain("late");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a scratch", "by-link/scratch"})
  void guard_unmounts_what_a_killed_worker_left(String name) throws Exception {
    Files.createSymbolicLink(temp.resolve("by-link"), Files.createDirectory(temp.resolve("real")));
    Path scratch = temp.resolve(name);
    try (Guard guard = new Guard(CONFIG.guardDeadline(), CONFIG.start())) {
      guard.removeInTheEnd(scratch);
      Files.createDirectory(scratch);
      Overlays overlays = Overlays.of(Mounting.ON, temp).orElseThrow();
      for (int i = 0; i < 12; i++) {
        Overlays.Directory left =
            overlays
                .of(List.of(data), () -> Files.createTempDirectory(scratch, "task-"))
                .orElseThrow();
        assertThat(left.place().resolve("data/sub/f1")).exists();
      }
    }

    assertThat(scratch).doesNotExist();
    assertThat(mounts()).doesNotContain("scratch");
    assertThat(data.resolve("sub/f1")).exists();
  }
}
