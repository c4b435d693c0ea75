package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

abstract class GuardContract {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  private final Guards guards;
  private final ExecutorService pipes =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

  @TempDir Path temp;

  GuardContract(Guards guards) {
    this.guards = guards;
  }

  @AfterEach
  void close() {
    pipes.shutdownNow();
  }

  @Test
  void command_dies_when_no_beat_comes_and_is_known_as_the_guards_kill() throws Exception {
    try (Guard guard = guards.guard(SHORT);
        GuardedProcess process = start(guard, "sleep 1000 & wait")) {
      assertThat(process.ends(PATIENCE)).isTrue();
      assertThat(process.exitCode()).isEqualTo(137);
      assertThat(process.killedByGuard()).isTrue();
    }
  }

  @Test
  void command_lives_on_while_beats_come() throws Exception {
    try (Guard guard = guards.guard(Duration.ofSeconds(3));
        GuardedProcess process = start(guard, "sleep 5; exit 5")) {
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> {
            guard.beat();
            return process.ends(0);
          });
      assertThat(process.exitCode()).isEqualTo(5);
      assertThat(process.killedByGuard()).isFalse();
    }
  }

  @Test
  void after_a_missed_deadline_nothing_starts_until_the_next_beat() throws Exception {
    try (Guard guard = guards.guard(SHORT)) {
      try (GuardedProcess first = start(guard, "sleep 1000")) {
        assertThat(first.ends(PATIENCE)).isTrue();
      }
      try (GuardedProcess second = start(guard, "sleep 1000")) {
        assertThat(second.ends(PATIENCE)).isTrue();
        assertThat(second.killedByGuard()).isTrue();
      } catch (GroupLaunch.GoneException e) {
        // it was found by its mark, before it had a group
        assertThat(e).hasMessage("it was killed before it could start");
      }
      guard.beat(LONG);
      assertThat(exitCodeOfWhatTheGuardDoesNotKill(guard)).isEqualTo(4);
    }
  }

  /** The sweep for a missed beat may go on for a while, and is known for what it is. */
  private int exitCodeOfWhatTheGuardDoesNotKill(Guard guard) throws Exception {
    while (true) {
      try (GuardedProcess process = start(guard, "exit 4")) {
        assertThat(process.ends(PATIENCE)).isTrue();
        if (process.exitCode() != 137 || !process.killedByGuard()) {
          return process.exitCode();
        }
      } catch (GroupLaunch.GoneException e) {
        assertThat(e).hasMessage("it was killed before it could start");
      }
    }
  }

  @Test
  void close_kills_what_is_left_and_refuses_what_comes() throws Exception {
    Guard guard = guards.guard(LONG);
    try (GuardedProcess process = start(guard, "sleep 1000")) {
      guard.close();
      assertThat(process.ends(PATIENCE)).isTrue();
      assertThat(process.exitCode()).isEqualTo(137);
    }
    assertThatThrownBy(() -> start(guard, "true"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ending");
  }

  @Test
  void guard_that_was_killed_comes_again_and_knows_what_runs() throws Exception {
    try (Guard guard = guards.guard(LONG);
        GuardedProcess process = start(guard, "sleep 1000 & wait")) {
      List<Long> before = pids();
      before.forEach(pid -> Processes.signal("KILL", pid));
      await().until(() -> !pids().isEmpty() && pids().stream().noneMatch(before::contains));
      assertThat(process.ends(0)).isFalse();

      process.kill();

      assertThat(process.ends(PATIENCE)).isTrue();
    }
  }

  @Test
  void guard_of_which_any_one_process_was_killed_serves_again_or_has_killed() throws Exception {
    // a process that it starts for a moment only is in one list and not in the next
    boolean some = true;
    for (int part = 0; some; part++) {
      List<Long> parts;
      try (Guard guard = guards.guard(LONG);
          GuardedProcess old = start(guard, "sleep 1000 & wait")) {
        parts = pids();
        some = part < parts.size();
        if (some) {
          Processes.signal("KILL", parts.get(part));
        }
        await().until(() -> answersAgain(guard));

        // its last act may have been to kill what it knew: then nobody takes that for the command's
        // own
        assertThat(!old.ends(0) || old.killedByGuard()).isTrue();
        old.kill();
        assertThat(old.ends(PATIENCE)).isTrue();
        assertThat(old.exitCode()).isEqualTo(137);
      }
      await().until(() -> parts.stream().noneMatch(Processes::runs));
    }
  }

  @Test
  void release_leaves_other_commands_alone() throws Exception {
    try (Guard guard = guards.guard(LONG);
        GuardedProcess stays = start(guard, "while [ ! -e go ]; do sleep 0.1; done; exit 6")) {
      for (int i = 0; i < 20; i++) {
        try (GuardedProcess passing = start(guard, "sleep 1000 & exit 0")) {
          assertThat(passing.ends(PATIENCE)).isTrue();
        }
      }
      Files.createFile(temp.resolve("go"));
      assertThat(stays.ends(PATIENCE)).isTrue();
      assertThat(stays.exitCode()).isEqualTo(6);
    }
  }

  @Test
  void somebody_left_in_the_group_is_known_and_so_is_nobody() throws Exception {
    try (Guard guard = guards.guard(LONG)) {
      GuardedProcess none = start(guard, "true");
      GuardedProcess some = start(guard, "sleep 1000 & exit 0");
      for (GuardedProcess each : List.of(none, some)) {
        assertThat(each.ends(PATIENCE)).isTrue();
        each.close();
      }

      assertThat(some.leftNobody(temp, true)).isFalse();
      await().until(() -> none.leftNobody(temp, true));
    }
  }

  @Test
  void task_of_a_cluster_is_ended_for_want_of_memory_before_its_worker() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/oom_score_adj")), "this system has no such score");
    assumeTrue(guards != Guards.JOB_CONTROL, "macOS, whose way this is, has no such score");
    StartRule rule = new StartRule(InheritedVariables.withoutCredentials(Set.of()), null);
    // what it starts at once has it, too, by the time it looks
    String line =
        "(while [ ! -e go ]; do sleep 0.01; done; cat /proc/self/oom_score_adj >score) & wait";
    Set<String> scores = new HashSet<>();
    try (Guard guard = guards.guard(LONG, rule)) {
      // a fork that is under way at that moment escapes, once in thousands
      for (int i = 0; i < 3; i++) {
        try (GuardedProcess process = start(guard, line)) {
          Files.createFile(temp.resolve("go"));
          assertThat(process.ends(PATIENCE)).isTrue();
        }
        scores.add(Files.readString(temp.resolve("score")).strip());
        Files.delete(temp.resolve("go"));
      }
    }
    assertThat(scores).contains("500");
  }

  @Test
  void ticks_are_never_more_than_the_deadline_holds() {
    assertThat(Ticks.of(Duration.ofSeconds(13))).isEqualTo(new Ticks(1000, 13));
    assertThat(Ticks.of(Duration.ofMillis(13_900)).perDeadline()).isEqualTo(13);
    assertThat(Ticks.of(Duration.ofMillis(400))).isEqualTo(new Ticks(100, 4));
    assertThat(Ticks.of(Duration.ofMillis(400)).seconds()).isEqualTo("0.100");
    assertThat(Ticks.of(Duration.ofSeconds(13)).seconds()).isEqualTo("1");
    assertThat(Ticks.of(Duration.ofSeconds(13)).in(Duration.ofMillis(2_999))).isEqualTo(2);
    assertThat(Ticks.of(Duration.ofSeconds(13)).in(Duration.ZERO)).isEqualTo(1);
  }

  private GuardedProcess start(Guard guard, String line) throws IOException {
    return guard.start(List.of("/bin/sh", "-c", line), temp, Map.of(), pipes);
  }

  /** Whether a command under it comes to its own end. */
  private boolean answersAgain(Guard guard) throws Exception {
    guard.beat();
    try (GuardedProcess fresh = start(guard, "exit 9")) {
      return fresh.ends(PATIENCE) && fresh.exitCode() == 9 && !fresh.killedByGuard();
    }
  }

  private static List<Long> pids() {
    return Guards.processes().map(ProcessHandle::pid).sorted().toList();
  }
}
