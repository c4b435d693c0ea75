package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

abstract class ExecRunContract {
  private static final int CAPTURE = 64 * 1024;
  private static final int BIG = 50_000_000;

  private final Guards guards;

  @TempDir Path temp;
  private Runs runs;

  ExecRunContract(Guards guards) {
    this.guards = guards;
  }

  @BeforeEach
  void open() {
    runs = runs(null);
  }

  @AfterEach
  void close() throws IOException {
    runs.close();
  }

  @Test
  void command_that_succeeds_gives_its_outputs() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.shell("echo out; echo err >&2"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(outcome.exitCode()).isZero();
    assertThat(Runs.text(outcome.stdout())).isEqualTo("out\n");
    assertThat(Runs.text(outcome.stderr())).isEqualTo("err\n");
    assertThat(outcome.error()).isEmpty();
  }

  @Test
  void exit_code_other_than_0_fails() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.shell("exit 42"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.exitCode()).isEqualTo(42);
    assertThat(outcome.error()).isEqualTo("exit code 42");
    assertThat(runs.run(Tasks.shell("exit 160")).error()).isEqualTo("exit code 160");
    assertThat(runs.run(Tasks.shell("exit 255")).error()).isEqualTo("exit code 255");
  }

  @Test
  void command_killed_by_a_signal_fails_with_128_and_the_signal() throws Exception {
    assertThat(runs.run(Tasks.shell("kill -TERM $$")).exitCode()).isEqualTo(143);
    assertThat(runs.run(Tasks.shell("kill -SEGV $$")).exitCode()).isEqualTo(139);
    TaskOutcome killed = runs.run(Tasks.shell("kill -KILL $$"));
    assertThat(killed.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(killed.error()).isEqualTo("exit code 137 (signal 9)");
  }

  @Test
  void big_input_and_output_pass_whole_while_only_the_head_is_kept() throws Exception {
    byte[] input = new byte[BIG];
    new Random(1).nextBytes(input);

    TaskOutcome outcome = runs.run(Tasks.shell("tee /dev/stderr", input));

    assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(outcome.stdoutBytes()).isEqualTo(BIG);
    assertThat(outcome.stderrBytes()).isEqualTo(BIG);
    assertThat(outcome.stdout()).isEqualTo(Arrays.copyOf(input, CAPTURE));
    assertThat(outcome.stderr()).isEqualTo(Arrays.copyOf(input, CAPTURE));
  }

  @Test
  void input_is_handed_over_byte_by_byte_as_given() throws Exception {
    assertThat(runs.run(Tasks.shell("cat", "go\n\\a\n".getBytes(UTF_8))).stdout())
        .isEqualTo("go\n\\a\n".getBytes(UTF_8));
    assertThat(runs.run(Tasks.shell("cat")).stdoutBytes()).isZero();
  }

  @Test
  void command_that_reads_no_input_ends_all_the_same() throws Exception {
    assertThat(runs.run(Tasks.shell("true", new byte[BIG])).status())
        .isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void environment_is_the_workers_and_the_tasks_and_names_task_and_run() throws Exception {
    String line = "printf '%s|' \"$COLOUR\" \"$CLOUDKON_TASK\" \"$CLOUDKON_RUN\" \"$HOME\"";

    TaskOutcome outcome = runs.run(Tasks.shell(line, Map.of("COLOUR", "a \"blue\" $1\n")));

    assertThat(Runs.text(outcome.stdout()))
        .isEqualTo("a \"blue\" $1\n|seven|a-run|" + System.getenv("HOME") + "|");
  }

  @Test
  void variable_whose_name_no_shell_passes_on_reaches_the_program() throws Exception {
    Map<String, String> odd = Map.of("odd.name-x", "kept");
    Work.Exec exec = new Work.Exec(List.of("env"), null, odd, new byte[0]);

    assertThat(Runs.text(runs.run(Tasks.of(exec)).stdout()).lines()).contains("odd.name-x=kept");
  }

  @Test
  void program_with_an_equals_sign_in_its_path_runs_with_such_a_variable_too() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("date=2024-01-01"));
    Path program = Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\necho ran; exec env\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Work.Exec exec =
        new Work.Exec(
            List.of("date=2024-01-01/run.sh"), temp.toString(), Map.of("my.var", "1"), new byte[0]);

    TaskOutcome outcome = runs.run(Tasks.of(exec));

    assertThat(outcome.error()).isEmpty();
    assertThat(Runs.text(outcome.stdout())).startsWith("ran\n");
  }

  @Test
  void variable_that_no_environment_can_hold_fails_and_says_so() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.shell("true", Map.of("a=b", "c")));

    assertThat(outcome.exitCode()).isEqualTo(126);
    assertThat(outcome.error()).contains("a=b");
  }

  @Test
  void arguments_reach_the_program_unchanged() throws Exception {
    String[] odd = {"printf", "%s|", "", " a  b", "$HOME", "*", "'\"\\", "-n", "ü\n"};
    assertThat(Runs.text(runs.run(Tasks.argv(odd)).stdout()))
        .isEqualTo("| a  b|$HOME|*|'\"\\|-n|ü\n|");
  }

  @Test
  void program_whose_name_looks_like_an_option_runs() throws Exception {
    script("-l", "#!/bin/sh\necho fine\n", "rwx------");
    Map<String, String> path = Map.of("PATH", temp + ":/usr/bin:/bin");
    Work.Exec exec = new Work.Exec(List.of("-l"), null, path, new byte[0]);
    assertThat(Runs.text(runs.run(Tasks.of(exec)).stdout())).isEqualTo("fine\n");
  }

  @Test
  void command_without_directory_gets_a_fresh_one_that_is_removed() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "still here");
    String line =
        "pwd; ls -A; mkdir -p a/b; echo x > a/b/f; ln -s %s link; ln -s / a/root; chmod 0 a/b"
            .formatted(outside);

    Path one = Path.of(Runs.text(runs.run(Tasks.shell(line)).stdout()).strip());
    Path two = Path.of(Runs.text(runs.run(Tasks.shell(line)).stdout()).strip());

    assertThat(one).isNotEqualTo(two).doesNotExist();
    assertThat(two).doesNotExist();
    assertThat(outside.resolve("precious")).hasContent("still here");
    runs.runner.close();
    assertThat(two.getParent()).doesNotExist();
  }

  @Test
  void configured_directory_is_where_commands_start_and_stays() throws Exception {
    Path sub = Files.createDirectory(temp.resolve("sub"));
    try (Runs local = runs(temp)) {
      assertThat(Runs.text(local.run(Tasks.shell("pwd -P; touch made")).stdout()))
          .isEqualTo(temp.toRealPath() + "\n");
      assertThat(Runs.text(local.run(Tasks.in("sub", "pwd", "-P")).stdout()))
          .isEqualTo(sub.toRealPath() + "\n");
    }
    assertThat(temp.resolve("made")).exists();
  }

  @Test
  void directory_that_is_missing_fails_and_is_named() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.in(temp + "/nowhere", "true"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.exitCode()).isEqualTo(126);
    assertThat(outcome.error()).contains("'true'", "nowhere");
  }

  @Test
  void command_that_is_not_found_fails_with_127() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.argv("no-such-command", "x"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.exitCode()).isEqualTo(127);
    assertThat(outcome.error())
        .contains("command not found: 'no-such-command'; it is in none of the ")
        .endsWith(" folders of PATH");
    assertThat(runs.run(Tasks.argv("./missing")).exitCode()).isEqualTo(127);
    assertThat(runs.run(Tasks.argv("")).exitCode()).isEqualTo(127);
    assertThat(runs.run(Tasks.argv("a\0b")).exitCode()).isEqualTo(127);
  }

  @Test
  void file_in_the_tasks_directory_is_not_a_command_by_its_name_alone() throws Exception {
    Files.writeString(temp.resolve("sim.py"), "print()");

    assertThat(runs.run(Tasks.in(temp.toString(), "sim.py")).error())
        .endsWith(
            "command not found: 'sim.py'; the file of that name in its directory is ./sim.py");
  }

  @Test
  void command_beside_the_task_that_is_not_found_may_have_to_be_sent_along() throws Exception {
    String hint = "--ship";

    assertThat(runs.run(Tasks.argv("./missing")).error())
        .isEqualTo("command not found: ./missing; if it is a file of yours, send it with --ship");
    assertThat(runs.run(Tasks.argv("bin/missing")).error()).contains(hint);
    assertThat(runs.run(Tasks.argv("/missing")).error()).isEqualTo("command not found: /missing");
    assertThat(runs.run(Tasks.argv("no-such-command")).error()).doesNotContain(hint);
  }

  @Test
  void command_that_is_not_executable_fails_with_126() throws Exception {
    Path plain = script("plain", "text", "rw-------");

    TaskOutcome outcome = runs.run(Tasks.argv(plain.toString()));

    assertThat(outcome.exitCode()).isEqualTo(126);
    assertThat(outcome.error()).contains("not executable", "plain");
    assertThat(runs.run(Tasks.argv(temp.toString())).exitCode()).isEqualTo(126);
  }

  @Test
  void arguments_that_no_process_can_take_fail_and_say_why() throws Exception {
    TaskOutcome tooLong = runs.run(Tasks.argv("true", "x".repeat(5_000_000)));

    assertThat(tooLong.exitCode()).isEqualTo(126);
    assertThat(tooLong.error()).contains("cannot start 'true'");
    assertThat(runs.run(Tasks.argv("true", "a\0b")).exitCode()).isEqualTo(126);
  }

  @Test
  void time_limit_kills_the_whole_tree_and_keeps_the_output() throws Exception {
    Path pids = temp.resolve("pids");
    String line =
        "echo before; sleep 1000 & echo $! >> %1$s; sh -c 'echo $$ >> %1$s; sleep 1000; true'"
            .formatted(pids);

    CompletableFuture<TaskOutcome> run = runs.start(Tasks.timed(Work.Exec.shell(line), 1_000));
    TaskOutcome outcome = run.get();

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.exitCode()).isEqualTo(137);
    assertThat(outcome.error()).isEqualTo("exceeded its time limit of 1 s");
    assertThat(Runs.text(outcome.stdout())).isEqualTo("before\n");
    assertThat(Processes.pids(pids)).hasSize(2);
    await().until(() -> Processes.pids(pids).stream().noneMatch(Processes::runs));
  }

  @Test
  void kill_ends_the_whole_tree_without_an_outcome() {
    Path pids = temp.resolve("pids");
    String line = "echo $$ >> %1$s; sleep 1000 & echo $! >> %1$s; wait".formatted(pids);
    CompletableFuture<TaskOutcome> outcome = runs.start(Tasks.shell(line));
    await().until(() -> Processes.pids(pids).size() == 2);

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(outcome))
        .isInstanceOf(TaskInterruptedException.class)
        .hasMessage("lease lost");
    await().until(() -> Processes.pids(pids).stream().noneMatch(Processes::runs));
  }

  @Test
  void kill_while_the_guard_starts_is_no_failure_of_the_task() {
    // as who kills a task interrupts whoever runs it; nothing has started the guard yet
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> runs.run(Tasks.shell("true")))
          .isInstanceOf(TaskInterruptedException.class);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void kill_tells_what_the_command_had_printed() {
    Path ready = temp.resolve("ready");
    CompletableFuture<TaskOutcome> run =
        runs.start(Tasks.shell("echo before; touch " + ready + "; sleep 1000"));
    await().until(() -> Files.exists(ready));

    runs.interruption.kill("lease lost");

    TaskInterruptedException end = (TaskInterruptedException) Runs.failure(run);
    TaskOutcome unfinished = Objects.requireNonNull(end.unfinished());
    assertThat(Runs.text(unfinished.stdout())).isEqualTo("before\n");
    assertThat(unfinished.exitCode()).isEqualTo(137);
  }

  @Test
  void child_left_behind_holds_nothing_up_and_is_killed() throws Exception {
    Path pids = temp.resolve("pids");

    TaskOutcome outcome =
        runs.run(Tasks.shell("sleep 1000 & echo $! >> " + pids + "; echo main; exit 3"));

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(Runs.text(outcome.stdout())).isEqualTo("main\n");
    await().until(() -> Processes.pids(pids).stream().noneMatch(Processes::runs));
  }

  @Test
  void command_that_stops_itself_is_not_taken_as_ended() {
    Path pids = temp.resolve("pids");
    CompletableFuture<TaskOutcome> outcome =
        runs.start(Tasks.shell("echo $$ >> " + pids + "; kill -STOP $$; echo woken"));
    await().until(() -> !Processes.pids(pids).isEmpty());

    // until it is awake: the first signal may come before the stop
    await()
        .until(() -> {
          Processes.signal("CONT", Processes.pids(pids).getFirst());
          return outcome.isDone();
        });

    assertThat(Runs.text(outcome.join().stdout())).isEqualTo("woken\n");
  }

  @Test
  void script_without_an_interpreter_runs_as_the_shells() throws Exception {
    Path script = script("plain.sh", "echo \"$1\"; exit 3\n", "rwx------");

    TaskOutcome outcome = runs.run(Tasks.argv(script.toString(), "a b"));

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(Runs.text(outcome.stdout())).isEqualTo("a b\n");
  }

  @Test
  void script_whose_interpreter_is_missing_fails_as_in_the_shell() throws Exception {
    Path script = script("odd.sh", "#!/no/such/interpreter\n", "rwx------");

    TaskOutcome outcome = runs.run(Tasks.argv(script.toString()));

    assertThat(outcome.exitCode()).isIn(126, 127);
    assertThat(outcome.stderrBytes()).isPositive();
  }

  @Test
  void processor_time_is_known_of_spawned_commands() throws Exception {
    long micros = runs.run(Tasks.shell("true")).usage().cpuMicros();

    assertThat(micros > 0).isEqualTo(guards == Guards.SPAWN);
    assertThat(micros).isLessThan(1_000_000);
  }

  @Test
  void interrupted_slot_ends_its_command() throws Exception {
    Path pids = temp.resolve("pids");
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread slot =
        Thread.ofVirtual()
            .start(() -> {
              try {
                runs.run(Tasks.shell("echo $$ >> " + pids + "; sleep 1000; true"));
              } catch (TaskInterruptedException e) {
                end.complete(Thread.interrupted() ? e : new AssertionError("not kept"));
              }
            });
    await().until(() -> Processes.pids(pids).size() == 1);

    slot.interrupt();

    assertThat(end.get()).isInstanceOf(TaskInterruptedException.class);
    assertThat(Processes.pids(pids)).noneMatch(Processes::runs);
  }

  @Test
  void many_commands_leave_no_process_thread_or_descriptor() throws Exception {
    for (int i = 0; i < 20; i++) {
      runs.run(Tasks.shell("cat", new byte[10_000]));
    }
    long threads = threads();
    long descriptors = descriptors();

    for (int i = 0; i < 300; i++) {
      assertThat(runs.run(Tasks.shell("cat", new byte[10_000])).stdoutBytes()).isEqualTo(10_000);
    }

    await().until(() -> threads() <= threads + 2);
    await().until(() -> descriptors() <= descriptors);
    runs.runner.close();
    await().until(() -> Guards.processes().findAny().isEmpty());
  }

  private Runs runs(Path directory) {
    return new Runs(
        Runs.config(CAPTURE, directory),
        HandlerRegistry.builtIn(),
        guards.guard(Runs.CONFIG.guardDeadline()));
  }

  private Path script(String name, String text, String permissions) throws IOException {
    Path script = Files.writeString(temp.resolve(name), text);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString(permissions));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("cloudkon") || t.getName().contains("reaper"))
        .count();
  }

  private static long descriptors() throws IOException {
    try (var files = Files.list(Path.of("/dev/fd"))) {
      return files.count();
    }
  }
}
