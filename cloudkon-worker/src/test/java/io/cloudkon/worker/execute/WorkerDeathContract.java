package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.worker.execute.guard.Guards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker's JVM dies or freezes: nothing that it started goes on. */
abstract class WorkerDeathContract {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final int LIVES = 8;
  private static final int HITS = 4;

  /** In the command line of everything that a test starts. */
  private final String tag = "cloudkon-" + UUID.randomUUID();

  private final Guards guards;

  @TempDir Path temp;

  WorkerDeathContract(Guards guards) {
    this.guards = guards;
  }

  @Test
  void killed_worker_leaves_no_process_and_no_folder() throws Exception {
    try (WorkerProcess worker = WorkerProcess.start(guards, temp, LONG, tree(temp), 0)) {
      soon().until(() -> Processes.pids(worker.pids()).size() >= 4 * perTree());
      List<Long> all = descendants(worker);
      assertThat(all).hasSizeGreaterThan(4 * 2);

      worker.jvm.destroyForcibly();

      soon().until(() -> all.stream().noneMatch(Processes::runs));
      soon().until(() -> Processes.pids(worker.pids()).stream().noneMatch(Processes::runs));
      soon().until(() -> isEmpty(temp.resolve("tmp")));
    }
  }

  @Test
  void frozen_worker_loses_its_commands_by_the_deadline_and_knows_when_it_wakes() throws Exception {
    try (WorkerProcess worker = WorkerProcess.start(guards, temp, SHORT, tree(temp), 0)) {
      soon().until(() -> Processes.pids(worker.pids()).size() >= 4 * perTree());
      List<Long> before = Processes.pids(worker.pids());
      assertThat(worker.ends()).doesNotExist();

      Processes.signal("STOP", worker.jvm.pid());

      soon().until(() -> before.stream().noneMatch(Processes::runs));
      assertThat(worker.ends()).doesNotExist();

      Processes.signal("CONT", worker.jvm.pid());

      soon().until(() -> Files.exists(worker.ends()));
      soon().until(() -> Files.readAllLines(worker.ends()).size() >= 4);
      assertThat(Files.readAllLines(worker.ends()))
          .allMatch(end -> end.contains("its guard killed it"));
      // and works again, once its heart beats
      soon().until(() -> Processes.pids(worker.pids()).stream().anyMatch(Processes::runs));
    }
    soon().until(() -> Processes.pids(temp.resolve("pids")).stream().noneMatch(Processes::runs));
  }

  @Test
  void worker_killed_while_it_starts_commands_leaves_none() throws Exception {
    String line = ": " + tag + "; echo $$ >> " + temp + "/pids; sleep 1000; true";
    for (int life = 0; life < LIVES; life++) {
      try (WorkerProcess worker = WorkerProcess.start(guards, temp, LONG, line, 60)) {
        int before = Processes.pids(worker.pids()).size();
        int some = before + 10 + life;
        soon().until(() -> Processes.pids(worker.pids()).size() >= some);

        worker.jvm.destroyForcibly().waitFor();

        soon().until(() -> tagged() == 0);
        soon().until(() -> Processes.pids(worker.pids()).stream().noneMatch(Processes::runs));
      }
    }
  }

  @Test
  void worker_killed_in_the_midst_of_a_burst_leaves_nobody() throws Exception {
    new WorkerBurst(guards, temp).kill(HITS);
  }

  @Test
  void worker_frozen_in_the_midst_of_a_burst_loses_all_its_commands() throws Exception {
    new WorkerBurst(guards, temp).freeze(HITS);
  }

  /** A command with a child, and on Linux one that leaves the group; each writes its number. */
  private String tree(Path folder) {
    String child = "sh -c 'echo $$ >> " + folder + "/pids; sleep 1000; : " + tag + "'";
    return "trap '' TERM INT HUP; "
        + (perTree() == 3 ? "setsid " + child + " & " : "")
        + child
        + " & echo $$ >> "
        + folder
        + "/pids; wait";
  }

  private static int perTree() {
    return Files.exists(Path.of("/proc/self/environ")) ? 3 : 2;
  }

  private long tagged() {
    return ProcessHandle.allProcesses()
        .filter(p -> p.info().commandLine().orElse("").contains(tag))
        .filter(p -> Processes.runs(p.pid()))
        .filter(p -> !p.info().commandLine().orElse("").contains("WorkerProcess"))
        .count();
  }

  private static List<Long> descendants(WorkerProcess worker) {
    return worker.jvm.descendants().map(ProcessHandle::pid).toList();
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
  }
}
