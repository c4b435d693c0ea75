package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What failed is run again, as a person does it. */
class RerunIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  private Running cloudkon(Map<String, String> environment, String... arguments) {
    return Processes.start("cloudkon-client", List.of(), List.of(arguments), environment, folder);
  }

  @Test
  void tasks_that_failed_on_a_cluster_run_again_with_what_is_shipped_now() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("2"), "two");
    Files.writeString(
        folder.resolve("tasks.jsonl"),
        """
        {"exec": ["cat", "data/1"]}
        {"id": "b", "exec": ["cat", "data/2"]}
        {"shell": "cat data/$N", "env": {"N": "3"}}
        """);
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker = new WorkerProcess.Recipe(cluster, folder).start().awaitReady()) {
      Map<String, String> aws = cluster.environment();
      String q = cluster.name();
      try (Running run =
          cloudkon(
              aws,
              "client",
              "-s",
              q,
              "-w",
              "tasks.jsonl",
              "--ship=data",
              "--out",
              "out",
              "--run-id",
              "first")) {
        assertThat(run.awaitExit(LIMIT)).isEqualTo(1);
        assertThat(run.stdout()).contains("Again       cloudkon rerun out");
      }
      Files.writeString(data.resolve("1"), "one");
      // by its id, though its folder has another name
      try (Running run = cloudkon(aws, "rerun", "first")) {
        assertThat(run.awaitExit(LIMIT)).isEqualTo(1);
        assertThat(run.stdout()).contains("Again       cloudkon rerun out");
        assertThat(run.stderr())
            .contains(
                "2 tasks of the 3 of run",
                "results go to out/rerun-1",
                "data has changed since run");
      }
      Files.writeString(data.resolve("3"), "three");
      try (Running run = cloudkon(aws, "rerun", "out", "--run-id", "third", "--detach")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
        assertThat(run.stdout()).contains("--resume third --out out/rerun-2");
      }
      try (Running run = cloudkon(aws, "rerun", "out")) {
        assertThat(run.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(run.stderr())
            .contains("run 'third' is not over; resume it first: cloudkon client -s " + q);
      }
      try (Running run =
          cloudkon(aws, "client", "-s", q, "--resume", "third", "--out", "out/rerun-2")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      }
      try (Running run = cloudkon(aws, "rerun", "out")) {
        assertThat(run.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(run.stderr()).contains("nothing to rerun: all tasks of run");
      }
      assertThat(worker.alive()).isTrue();
    }
    String columns = "--columns=index,task,status,stdout";
    try (Running run = cloudkon(Map.of(), "results", "out", "--latest", "--format=tsv", columns)) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout())
          .isEqualTo(
              """
              index\ttask\tstatus\tstdout
              0\t1\tSUCCEEDED\tone
              1\tb\tSUCCEEDED\ttwo
              2\t3\tSUCCEEDED\tthree
              """);
    }
    try (Running run = cloudkon(Map.of(), "results", "out", "--failed", "--format=tsv", columns)) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout().lines()).hasSize(3);
    }
  }

  /** Each took the run in the folder, without a word. */
  @Test
  void name_that_means_two_runs_is_refused_by_the_commands_that_change_or_repeat_one()
      throws Exception {
    Files.writeString(folder.resolve("tasks.txt"), "exec false\n");
    for (List<String> names : List.of(List.of("a", "b"), List.of("b", "cloudkon-b"))) {
      String id = names.getFirst();
      String out = names.getLast();
      String[] words = {"client", "-s", "LOCAL", "-w", "tasks.txt", "--run-id", id, "--out", out};
      try (Running run = cloudkon(Map.of(), words)) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isEqualTo(1);
      }
    }
    for (String command : List.of("rerun", "cancel")) {
      try (Running run = cloudkon(Map.of(), command, "b")) {
        assertThat(run.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(run.stderr())
            .contains(
                "'b' is the run in folder cloudkon-b, and b is the folder of another run",
                "name the folder, as ./cloudkon-b or ./b");
      }
    }
    try (Running run = cloudkon(Map.of(), "rerun", "./b")) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isEqualTo(1);
    }
    assertThat(folder.resolve("b/rerun-1")).isDirectory();
  }

  @Test
  void files_of_tasks_are_those_of_the_first_client_wherever_the_rerun_is_started()
      throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("a"), "right");
    Files.writeString(other.resolve("a"), "wrong");
    Files.writeString(
        folder.resolve("tasks.jsonl"), "{\"exec\": [\"cat\", \"a\"], \"files\": [\"a\"]}\n");
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker = new WorkerProcess.Recipe(cluster, folder).start().awaitReady()) {
      Map<String, String> aws = cluster.environment();
      List<String> first = List.of("-s", cluster.name(), "-w", "tasks.jsonl", "--out", "out");
      try (Running run = Processes.start("cloudkon-client", List.of(), first, aws, folder)) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      }
      List<String> again = List.of("rerun", "../out", "--task", "1");
      try (Running run = Processes.start("cloudkon-client", List.of(), again, aws, other)) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      }
      assertThat(worker.alive()).isTrue();
    }
    try (Running run = cloudkon(Map.of(), "cat", "out/1", "--latest")) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout()).isEqualTo("right");
    }
    try (Running run = cloudkon(Map.of(), "results", "out", "--latest", "--format=jsonl")) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout()).contains("\"stdout\":\"right\"");
    }
  }
}
