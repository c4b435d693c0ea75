package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, SIGTERM and cancel in the middle of a run. */
class ClientInterruptIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Sooner than a lease that is waited for, and time for a JVM to start on a busy machine. */
  private static final Duration SOON = Duration.ofMinutes(1);

  private static final int TASKS = 50;
  private static final String RUN = "interrupted";

  @TempDir private Path folder;

  private ClientProcess client(TestCluster cluster, String... options) {
    ClientProcess client =
        ClientProcess.start(
            cluster,
            folder,
            Consistency.EXACTLY_ONCE,
            Collections.nCopies(TASKS, "sleep 60s"),
            Map.of(),
            options);
    await().atMost(LIMIT).until(() -> cluster.messages() == TASKS);
    return client;
  }

  private static String resume(TestCluster cluster) {
    return "resume it with: cloudkon client -s %s --resume %s --out "
        .formatted(cluster.name(), RUN);
  }

  @Test
  void client_that_is_terminated_says_what_is_outstanding_and_leaves_its_queue() throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client = client(cluster, "--bundle", "1", "--run-id", RUN)) {
      client.signal("TERM");

      assertThat(client.awaitExit(SOON)).isEqualTo(130);
      // a busy machine may be slow enough for the hint that nobody works
      assertThat(client.stderr().lines().filter(line -> !line.contains("no worker is alive")))
          .singleElement()
          .asString()
          .contains("50 of 50 tasks sent, 0 finished", resume(cluster));
      assertThat(cluster.responseQueues()).hasSize(1);
      assertThat(cluster.messages()).isEqualTo(TASKS);
    }
  }

  @Test
  void run_in_this_process_that_is_interrupted_has_its_report() throws Exception {
    // whichever comes first ends at once: nobody promises an order
    String command = "mkdir first 2>/dev/null || exec sleep 60";
    List<String> arguments =
        List.of("run", "-t", "1", "--out", "out", "--array", "1-3", "--", "sh", "-c", command);
    try (Running run = Processes.start("cloudkon-client", List.of(), arguments, Map.of(), folder)) {
      Path results = folder.resolve("out/results.jsonl");
      await().atMost(LIMIT).until(() -> Files.exists(results) && Files.size(results) > 0);
      run.signal("INT");

      assertThat(run.awaitExit(SOON)).isEqualTo(130);
      assertThat(run.stdout()).contains("1 of 3 tasks succeeded");
      assertThat(run.stderr())
          .contains("1 of 3 tasks finished; the others were stopped or had not started");
    }
    assertThat(folder.resolve("out/report.json")).content().contains("\"outstanding\" : 2");
  }

  /** It remained: SIGTERM ends a client by a halt, which skips what the JVM does at its end. */
  @Test
  void client_that_is_terminated_leaves_no_copy_of_its_workload() throws Exception {
    Path temporaries = Files.createDirectory(folder.resolve("temporaries"));
    List<String> jvm = List.of("-Djava.io.tmpdir=" + temporaries);
    String command = "touch begun; exec sleep 60";
    List<String> arguments =
        List.of("run", "-t", "1", "--out", "out", "--array", "1-3", "--", "sh", "-c", command);
    try (Running run = Processes.start("cloudkon-client", jvm, arguments, Map.of(), folder)) {
      await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("begun")));
      assertThat(temporaries).isDirectoryContaining("glob:**/cloudkon-workload-*");
      run.signal("TERM");

      assertThat(run.awaitExit(SOON)).isEqualTo(130);
    }
    assertThat(temporaries).isDirectoryNotContaining("glob:**/cloudkon-workload-*");
  }

  /**
   * Results are gathered, and running tasks have a second to end: what has run must be reported.
   */
  @Test
  void whatever_has_finished_in_this_process_is_in_the_results() throws Exception {
    List<String> arguments =
        List.of(
            "run",
            "-t",
            "2",
            "--out",
            "out",
            "--shell",
            "--array",
            "1-200",
            "--",
            "sleep 0.3; touch done-{}");
    try (Running run = Processes.start("cloudkon-client", List.of(), arguments, Map.of(), folder)) {
      await().atMost(LIMIT).until(() -> done() >= 3);
      run.signal("INT");

      assertThat(run.awaitExit(LIMIT)).isEqualTo(130);
      assertThat(run.stderr()).contains("%d of 200 tasks finished".formatted(done()));
    }
    assertThat(Files.readAllLines(folder.resolve("out/results.jsonl"))).hasSize(done());
  }

  private int done() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.filter(file -> file.getFileName().toString().startsWith("done-")).count();
    }
  }

  @Test
  void client_that_is_interrupted_once_leaves_its_run_to_be_resumed_at_once() throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client = client(cluster, "--bundle", "1", "--run-id", RUN)) {
      client.signal("INT");

      assertThat(client.awaitExit(SOON)).isEqualTo(130);
      // A slow machine says before that nobody works.
      assertThat(client.stderr().lines().filter(line -> !line.contains("no worker is alive")))
          .satisfiesExactly(
              line -> assertThat(line).contains("50 of 50 tasks sent, 0 finished", resume(cluster)),
              line -> assertThat(line).contains("press Ctrl-C again within 3 s to cancel"));
      assertThat(cluster.responseQueues()).hasSize(1);

      try (ClientProcess again = ClientProcess.resume(cluster, folder, RUN, "--detach")) {
        assertThat(again.awaitExit(SOON)).as(again.stderr()).isZero();
        assertThat(again.stderr().lines())
            .singleElement()
            .asString()
            .contains("no worker is alive");
        assertThat(again.stdout()).startsWith("run interrupted: 50 tasks sent; collect them with");
      }
      assertThat(cluster.messages()).isEqualTo(TASKS);
    }
  }

  @Test
  void client_that_is_interrupted_twice_cancels_its_run() throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client = client(cluster, "--bundle", "1", "--run-id", RUN)) {
      client.signal("INT");
      client.interruptAgain();

      assertThat(client.awaitExit(LIMIT)).isEqualTo(130);
      assertThat(client.results().counts()).isEqualTo(Map.of("CANCELLED", (long) TASKS));
      assertThat(client.report().get("cancelled").asInt()).isEqualTo(TASKS);
      assertThat(cluster.responseQueues()).isEmpty();
    }
  }

  @Test
  void run_that_somebody_else_cancels_is_settled_by_its_client() throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client = client(cluster, "--bundle", "1", "--run-id", RUN)) {
      try (Running cancel = cancel(cluster)) {
        assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
        assertThat(cancel.stdout()).contains("run interrupted is cancelled; its client");
      }

      assertThat(client.awaitExit(LIMIT)).isEqualTo(1);
      assertThat(client.results().counts()).isEqualTo(Map.of("CANCELLED", (long) TASKS));
      assertThat(cluster.responseQueues()).isEmpty();
    }
  }

  @Test
  void run_that_was_left_is_completed_and_cleared_up_by_a_cancel() throws Exception {
    try (TestCluster cluster = new TestCluster();
        ClientProcess client = client(cluster, "--bundle", "1", "--run-id", RUN, "--detach")) {
      assertThat(client.awaitExit(LIMIT)).isZero();
      assertThat(cluster.responseQueues()).hasSize(1);

      try (Running cancel = cancel(cluster)) {
        assertThat(cancel.awaitExit(LIMIT)).as(cancel.stderr()).isZero();
        assertThat(cancel.stdout())
            .endsWith("run interrupted is cancelled; its results are complete\n");
      }
      assertThat(cluster.responseQueues()).isEmpty();
    }
  }

  private Running cancel(TestCluster cluster) throws IOException {
    return Processes.start(
        "cloudkon-client",
        List.of(),
        List.of("cancel", "-s", cluster.name(), RUN),
        cluster.environment(),
        folder);
  }
}
