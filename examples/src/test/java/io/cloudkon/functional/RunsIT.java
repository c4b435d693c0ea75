package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that nobody collects is watched, and waited for. */
class RunsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  private Running cloudkon(Map<String, String> environment, String... arguments) {
    return Processes.start("cloudkon-client", List.of(), List.of(arguments), environment, folder);
  }

  private JsonNode json(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    try (Running run = cloudkon(environment, arguments)) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      return new ObjectMapper().readTree(run.stdout());
    }
  }

  @Test
  void counts_of_a_detached_run_go_on_and_it_is_waited_for() throws Exception {
    Files.writeString(folder.resolve("tasks.txt"), "noop\n".repeat(39) + "exec false\n");
    try (TestCluster cluster = new TestCluster()) {
      Map<String, String> aws = cluster.environment();
      String q = cluster.name();
      try (Running run =
          cloudkon(
              aws,
              "client",
              "-s",
              q,
              "-w",
              "tasks.txt",
              "--detach",
              "--run-id",
              "left",
              "--name=night sweep",
              "--tag=paper=fig 3")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
        assertThat(run.stdout()).startsWith("Run left (night sweep): 40 tasks on queue " + q);
      }
      JsonNode open = json(aws, "runs", "-s", q, "--tag=paper=fig 3", "--json");
      assertThat(open).hasSize(1);
      assertThat(open.get(0).get("run").asText()).isEqualTo("left");
      assertThat(open.get(0).get("state").asText()).isEqualTo("detached");
      assertThat(open.get(0).get("finished").asLong()).isZero();
      assertThat(json(aws, "runs", "-s", q, "--tag=paper=fig 4", "--json")).isEmpty();

      // by the run's folder, which says the cluster
      try (Running wait = cloudkon(aws, "wait", "left")) {
        try (WorkerProcess worker =
            new WorkerProcess.Recipe(cluster, folder).start().awaitReady()) {
          assertThat(wait.awaitExit(LIMIT)).as(wait.stderr()).isEqualTo(1);
          assertThat(wait.stdout())
              .contains(
                  "Run left has finished, according to its workers: 40 tasks; about 1 did"
                      + " not succeed; collect the results with: cloudkon client -s "
                      + q
                      + " --resume left");
          assertThat(worker.alive()).isTrue();
          worker.signal("TERM");
          assertThat(worker.awaitExit(LIMIT)).isEqualTo(143);
        }
      }
      // what the worker said is there without it
      await()
          .atMost(LIMIT)
          .until(() -> cluster.ports().runs().read("left").orElseThrow().handedIn().tasks() == 40);
      try (Running status = cloudkon(aws, "status", "-s", q)) {
        assertThat(status.awaitExit(LIMIT)).isZero();
        assertThat(status.stdout()).containsPattern("left +detached +40 +40 +~40 +1");
      }
      try (Running run = cloudkon(aws, "client", "-s", q, "--resume", "left")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isEqualTo(1);
      }
      try (Running wait = cloudkon(aws, "wait", "cloudkon-left")) {
        assertThat(wait.awaitExit(LIMIT)).isEqualTo(1);
        assertThat(wait.stdout()).contains("Run left has ended: 40 tasks; 1 did not succeed");
      }
      JsonNode ended = json(aws, "runs", "-s", q, "--all", "--json").get(0);
      assertThat(ended.get("state").asText()).isEqualTo("ended");
      assertThat(ended.get("name").asText()).isEqualTo("night sweep");
      assertThat(ended.get("finished").asLong()).isEqualTo(40);
      assertThat(ended.get("costUsd").asDouble()).isPositive();
      try (Running wait = cloudkon(aws, "wait", "-s", q, "lost")) {
        assertThat(wait.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(wait.stderr()).contains("run 'lost' is not known in cluster " + q);
      }
    }
  }

  @Test
  void cancelled_run_whose_folder_is_here_is_over_everywhere() throws Exception {
    Files.writeString(folder.resolve("tasks.txt"), "noop\nnoop\nnoop\n");
    try (TestCluster cluster = new TestCluster()) {
      Map<String, String> aws = cluster.environment();
      try (Running run =
          cloudkon(
              aws,
              "client",
              "-s",
              cluster.name(),
              "-w",
              "tasks.txt",
              "--detach",
              "--run-id",
              "unwanted")) {
        assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      }
      try (Running cancel = cloudkon(aws, "cancel", "unwanted")) {
        assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
        assertThat(cancel.stdout())
            .contains("0 of 3 tasks succeeded", "3 cancelled")
            .endsWith("run unwanted is cancelled; its results are complete\n");
        assertThat(cancel.stderr()).contains("completing its results in cloudkon-unwanted");
      }
      try (Running cancel = cloudkon(aws, "cancel", "unwanted")) {
        assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
        assertThat(cancel.stdout())
            .startsWith("run unwanted was cancelled before; its client has settled it; ")
            .endsWith(", and its results are complete\n");
      }
      try (Running runs = cloudkon(Map.of(), "runs")) {
        assertThat(runs.awaitExit(LIMIT)).isZero();
        assertThat(runs.stdout()).startsWith("No run is open here; 1 has ended");
      }
      try (Running rerun = cloudkon(aws, "rerun", "unwanted", "--detach")) {
        assertThat(rerun.awaitExit(LIMIT)).as(rerun.stderr()).isZero();
        assertThat(rerun.stdout()).contains("3 tasks sent");
      }
    }
  }

  @Test
  void runs_of_this_folder_are_listed_without_a_cluster() throws Exception {
    try (Running run = cloudkon(Map.of(), "run", "--name=first", "--", "true", ":::", "1", "2")) {
      assertThat(run.awaitExit(LIMIT)).as(run.stderr()).isZero();
      assertThat(run.stdout()).containsPattern("^Run \\S+ \\(first\\): 2 tasks on this machine\n");
    }
    try (Running runs = cloudkon(Map.of(), "runs")) {
      assertThat(runs.awaitExit(LIMIT)).isZero();
      assertThat(runs.stdout()).isEqualTo("No run is open here; 1 has ended: list it with --all\n");
    }
    try (Running runs = cloudkon(Map.of(), "runs", "--all")) {
      assertThat(runs.awaitExit(LIMIT)).as(runs.stderr()).isZero();
      assertThat(runs.stdout().lines().toList())
          .satisfiesExactly(
              head -> assertThat(head).startsWith("RUN  "),
              run -> assertThat(run).contains(" ended ", " 2/2 "),
              name -> assertThat(name).isEqualTo("  first"));
    }
    try (Running run = cloudkon(Map.of(), "run", "-q", "--out=q", "--", "true", ":::", "1")) {
      assertThat(run.awaitExit(LIMIT)).isZero();
      assertThat(run.stdout() + run.stderr()).isEmpty();
    }
    try (Running run = cloudkon(Map.of(), "run", "-q", "--out=f", "--", "false", ":::", "1")) {
      assertThat(run.awaitExit(LIMIT)).isEqualTo(1);
      assertThat(run.stdout()).contains("0 of 1 task succeeded");
    }
    JsonNode report = json(Map.of(), "run", "--json", "--out=none", "--", "true", ":::", "1");
    assertThat(report.get("succeeded").asLong()).isEqualTo(1);
    try (Running runs = cloudkon(Map.of(), "run", "--tag=x", "--", "true", ":::", "1")) {
      assertThat(runs.awaitExit(LIMIT)).isEqualTo(2);
      assertThat(runs.stderr()).contains("--tag x: expected KEY=VALUE");
    }
  }
}
