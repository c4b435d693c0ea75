package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.collect.CollectedArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where commands start that have something shipped. */
class ShippedFilesTest {
  @TempDir Path temp;
  private Runs runs;
  private Path tool;
  private Path data;

  @BeforeEach
  void open() throws IOException {
    runs = new Runs(Runs.CONFIG);
    tool = Files.createDirectory(temp.resolve("tool"));
    Files.writeString(tool.resolve("run.sh"), "#!/bin/sh\necho ran \"$@\"\n");
    Files.setPosixFilePermissions(
        tool.resolve("run.sh"), PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(tool.resolve("empty"));
    Files.createSymbolicLink(tool.resolve("link"), Path.of("run.sh"));
    data = Files.writeString(temp.resolve("data.txt"), "input\n");
  }

  @AfterEach
  void close() throws IOException {
    runs.close();
  }

  @Test
  void copies_with_modes_links_and_empty_folders_lie_where_the_command_starts() throws Exception {
    TaskOutcome outcome =
        run(
            Tasks.shell(
                "./tool/run.sh a && cat data.txt && readlink tool/link && ls -d tool/empty"));

    assertThat(outcome.error()).isEmpty();
    assertThat(Runs.text(outcome.stdout())).isEqualTo("ran a\ninput\nrun.sh\ntool/empty\n");
  }

  @Test
  void time_to_make_files_ready_is_told_apart_from_the_commands_own() throws Exception {
    TaskOutcome outcome = run(Tasks.shell("true"));

    assertThat(outcome.usage().stagingMicros()).isPositive();
    assertThat(runs.run(Tasks.shell("true")).usage().stagingMicros()).isZero();
  }

  @Test
  void command_may_write_to_its_copies_and_the_next_one_sees_nothing_of_it() throws Exception {
    String line = "cat data.txt tool/run.sh | wc -l; echo more >> data.txt; rm -r tool; pwd";

    String first = Runs.text(run(Tasks.shell(line)).stdout());
    String second = Runs.text(run(Tasks.shell(line)).stdout());

    assertThat(first.lines().findFirst()).isEqualTo(second.lines().findFirst());
    assertThat(data).hasContent("input\n");
    assertThat(Path.of(second.lines().toList().getLast())).doesNotExist();
  }

  @Test
  void what_a_task_leaves_in_a_directory_that_is_removed_is_told() throws Exception {
    String line = "mkdir out; echo 1 > result.txt; echo 2 > .cache; echo more >> data.txt";
    String[] left = {"out", "result.txt"};

    assertThat(discarded(runs.run(Tasks.shell(line))))
        .containsExactly("data.txt", "out", "result.txt");
    assertThat(discarded(run(Tasks.shell(line)))).containsExactly(left);
    // the directory is used again
    assertThat(discarded(run(Tasks.shell(line)))).containsExactly(left);
    assertThat(run(Tasks.shell("true")).collected()).isEqualTo(CollectedArchive.NONE);
    assertThat(runs.run(Tasks.shell("true")).collected()).isEqualTo(CollectedArchive.NONE);
    try (Runs here = new Runs(Runs.config(1000, temp))) {
      assertThat(here.run(Tasks.shell(line)).collected()).isEqualTo(CollectedArchive.NONE);
    }
  }

  private static List<String> discarded(TaskOutcome outcome) {
    CollectedFiles.Discarded discarded = outcome.collected().files().discarded();
    assertThat(discarded.count()).isEqualTo(discarded.names().size());
    return discarded.names();
  }

  @Test
  void copies_of_protected_files_have_the_rights_from_before() throws Exception {
    Path readOnly = Files.writeString(tool.resolve("fixed"), "x");
    Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r--------"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rw-------"));

    FileTrees.protect(tool);
    FileTrees.protect(data);

    assertThat(mode(data)).isEqualTo("r--r-----");
    assertThat(mode(tool.resolve("run.sh"))).isEqualTo("r-xr-----");
    assertThat(mode(readOnly)).isEqualTo("r--------");
    assertThat(mode(tool)).startsWith("rwx");
    Path place = Files.createDirectory(temp.resolve("place"));
    for (Path ship : List.of(tool, data)) {
      FileTrees.copy(ship, place.resolve(ship.getFileName()), runs.interruption);
    }
    assertThat(mode(place.resolve("data.txt"))).isEqualTo("rw-------");
    assertThat(mode(place.resolve("tool/run.sh"))).isEqualTo("rwx------");
    assertThat(mode(place.resolve("tool/fixed"))).isEqualTo("r--------");
    assertThat(place.resolve("tool/link")).isSymbolicLink();
    assertThat(Runs.text(run(Tasks.shell("./tool/run.sh a && echo more >> data.txt")).stdout()))
        .isEqualTo("ran a\n");
    FileTrees.remove(tool);
    assertThat(tool).doesNotExist();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void script_from_windows_says_why_it_is_not_found() throws Exception {
    Files.writeString(tool.resolve("run.sh"), "#!/bin/sh\r\necho ran\r\n");

    TaskOutcome outcome = run(Tasks.argv("./tool/run.sh"));

    assertThat(outcome.exitCode()).isIn(126, 127);
    assertThat(outcome.error()).contains("./tool/run.sh has line ends of Windows");
    assertThat(run(Tasks.shell("./tool/run.sh a")).error())
        .contains("./tool/run.sh has line ends of Windows");
    assertThat(run(Tasks.argv("sh", "-c", "exit 127")).error()).isEqualTo("exit code 127");
  }

  /** The shell reports the script as missing, although it is there. */
  @Test
  void script_without_its_interpreter_names_the_interpreter() throws Exception {
    String hint =
        "./tool/run.sh exists, but its interpreter /no/such/interp does not; correct its first"
            + " line";
    Files.writeString(tool.resolve("run.sh"), "#! /no/such/interp -x\necho ran\n");

    TaskOutcome outcome = run(Tasks.argv("./tool/run.sh"));

    assertThat(outcome.exitCode()).isIn(126, 127);
    assertThat(outcome.error()).contains(hint);
    assertThat(run(Tasks.shell("./tool/run.sh a")).error()).contains(hint);
    Files.writeString(tool.resolve("run.sh"), "#!/usr/bin/env no-such-program\n");
    assertThat(run(Tasks.argv("./tool/run.sh")).error()).isEqualTo("exit code 127");
  }

  @Test
  void relative_directory_is_one_of_what_was_shipped() throws Exception {
    assertThat(Runs.text(run(Tasks.in("tool", "./run.sh")).stdout())).isEqualTo("ran\n");
    assertThat(run(Tasks.in("nowhere", "true")).error()).contains("shipped files: nowhere");
    assertThat(run(Tasks.in("../..", "true")).exitCode()).isEqualTo(126);
  }

  @Test
  void absolute_directory_is_where_it_is_and_gets_no_copies() throws Exception {
    Path place = Files.createDirectory(temp.resolve("place"));

    TaskOutcome outcome = run(Tasks.in(place.toString(), "pwd", "-P"));

    assertThat(Runs.text(outcome.stdout())).isEqualTo(place.toRealPath() + "\n");
    assertThat(place).isEmptyDirectory();
  }

  @Test
  void configured_directory_stays_untouched() throws Exception {
    Path place = Files.createDirectory(temp.resolve("place"));
    RunnerConfig local = Runs.config(1000, place);
    try (Runs there = new Runs(local)) {
      TaskOutcome outcome = there.run(around(), Tasks.shell("cat data.txt; touch made"));

      assertThat(Runs.text(outcome.stdout())).isEqualTo("input\n");
      assertThat(place).isEmptyDirectory();
    }
  }

  @Test
  void two_of_one_name_fail_the_task_and_leave_nothing() throws Exception {
    Path other = Files.createDirectory(temp.resolve("other"));
    Path twin = Files.writeString(other.resolve("data.txt"), "twin");

    TaskOutcome outcome = runs.run(around(List.of(data, twin)), Tasks.shell("true"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).contains("data.txt");
    assertThat(runs.runner.scratch()).isEmptyDirectory();
  }

  @Test
  void runs_capture_holds_where_the_workers_is_larger() throws Exception {
    TaskEnvironment small = TaskEnvironment.bare("a-run", 10);

    TaskOutcome outcome = runs.run(small, Tasks.shell("echo 123456789012345; echo x >&2"));

    assertThat(outcome.stdout()).hasSize(10);
    assertThat(outcome.stdoutBytes()).isEqualTo(16);
  }

  /** So many files that their copies are kept for the next command, where the disk allows that. */
  private void many() throws IOException {
    assumeTrue(
        FileStatus.tellsAll(RunnerConfig.DEFAULT.temporary()), "a file system that tells all");
    for (int i = 0; i < 30; i++) {
      Files.writeString(tool.resolve("file" + i), "file " + i);
    }
  }

  private String text(String line) throws Exception {
    TaskOutcome outcome = run(Tasks.shell(line));
    assertThat(outcome.error()).isEmpty();
    return Runs.text(outcome.stdout()).strip();
  }

  @Test
  void many_files_are_copied_once_and_fresh_for_each_command() throws Exception {
    many();
    String copied = "stat -c %z tool/file8";
    String first = text(copied + "; echo more >> tool/file7; rm tool/file9; touch new tool/new");

    String second = text(copied + "; ls -d new tool/new 2>/dev/null; cat tool/file7 tool/file9");

    assertThat(second).isEqualTo(first + "\nfile 7file 9");
  }

  @Test
  void commands_at_a_time_have_copies_of_their_own() throws Exception {
    many();
    String line =
        "touch here; while [ ! -e %s ]; do sleep 0.01; done; pwd; ls here"
            .formatted(temp.resolve("go"));
    var one = runs.start(around(), Tasks.shell(line));
    var two = runs.start(around(), Tasks.shell(line));
    Files.createFile(temp.resolve("go"));

    assertThat(Runs.text(one.join().stdout())).endsWith("here\n");
    assertThat(Runs.text(two.join().stdout())).endsWith("here\n");
    assertThat(one.join().stdout()).isNotEqualTo(two.join().stdout());
  }

  @Test
  void copies_that_somebody_may_still_write_to_are_not_used_again() throws Exception {
    many();
    String quiet = text("pwd");
    assertThat(text("pwd")).isEqualTo(quiet);

    String left = text("pwd; sleep 60 >/dev/null 2>&1 &");
    assertThat(left).isEqualTo(quiet);
    String afterChild = text("pwd");
    assertThat(afterChild).isNotEqualTo(left);

    // it has left the group before the command ends, or it would be killed with it
    String escape = "setsid sh -c 'touch up; exec sleep 61' >/dev/null 2>&1 & echo $!";
    String pid =
        text(escape + "; while [ ! -e up ]; do sleep 0.01; done; pwd").lines().findFirst().get();
    String afterEscape = text("pwd");
    assertThat(afterEscape).isNotEqualTo(afterChild);
    assertThat(text("pwd")).isEqualTo(afterEscape);
    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void copies_go_with_their_originals_or_when_others_need_room() throws Exception {
    many();
    Path first = Path.of(text("pwd"));
    assertThat(first.resolve("tool/file1")).exists();
    Path more = Files.createDirectory(temp.resolve("more"));
    FileTrees.copy(tool, more.resolve("tool"), runs.interruption);

    String other = Runs.text(runs.run(around(List.of(more)), Tasks.shell("pwd")).stdout()).strip();
    assertThat(first).doesNotExist();
    FileTrees.remove(more);
    Path again = Path.of(text("pwd"));

    assertThat(Path.of(other)).doesNotExist();
    assertThat(again).exists();
    runs.close();
    assertThat(again).doesNotExist();
  }

  private TaskOutcome run(Task task) throws Exception {
    return runs.run(around(), task);
  }

  private TaskEnvironment around() {
    return around(List.of(tool, data));
  }

  private static TaskEnvironment around(List<Path> ships) {
    return new TaskEnvironment("a-run", 1000, ships, HandlerSource.OWN);
  }
}
