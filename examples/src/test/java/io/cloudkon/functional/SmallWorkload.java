package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A task of each kind, run by the jars as a person starts them. */
final class SmallWorkload {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String CLIENT = "cloudkon-client";

  private static final List<String> LINES =
      List.of(
          "noop",
          "sleep 50",
          "java sha256 CloudKon",
          "exec printf 'one\\ntwo\\303\\274\\n'",
          "exec seq 1 10000",
          "exec echo before; echo why >&2; exit 3",
          "java sha256");

  private final Path folder;
  private final Path file;

  SmallWorkload(Path folder) throws IOException {
    this.folder = folder;
    this.file = Files.write(folder.resolve("workload.txt"), LINES);
  }

  /** The outcomes under {@code -s LOCAL}, by task. */
  List<Outcome> runInProcess() throws IOException, InterruptedException {
    Path out = folder.resolve("in-process");
    try (Running client = client("LOCAL", out, Map.of())) {
      return outcomes(client, out);
    }
  }

  /**
   * The outcomes on a cluster that is made, used by one worker, and removed, by task.
   *
   * @param environment what points at its services
   */
  List<Outcome> runOnCluster(Map<String, String> environment)
      throws IOException, InterruptedException {
    String cluster = "same-" + UUID.randomUUID().toString().substring(0, 8);
    Path out = folder.resolve("on-cluster");
    command(environment, "setup", "-s", cluster);
    List<Outcome> outcomes;
    try (Running client = client(cluster, out, environment);
        Running worker =
            Processes.start(
                "cloudkon-worker",
                List.of(),
                List.of("-s", cluster, "-t", "2", "--exit-when-idle", "5s"),
                environment,
                folder)) {
      outcomes = outcomes(client, out);
      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isZero();
    }
    command(environment, "teardown", "-s", cluster, "--yes");
    return outcomes;
  }

  private Running client(String cluster, Path out, Map<String, String> environment) {
    List<String> arguments =
        new ArrayList<>(List.of("-s", cluster, "-w", file.toString(), "--out", out.toString()));
    return Processes.start(CLIENT, List.of(), arguments, environment, folder);
  }

  private static List<Outcome> outcomes(Running client, Path out)
      throws IOException, InterruptedException {
    // some tasks fail, by intention
    assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
    return Outcome.read(out.resolve("results.jsonl"));
  }

  private void command(Map<String, String> environment, String... words)
      throws InterruptedException {
    try (Running running =
        Processes.start(CLIENT, List.of(), List.of(words), environment, folder)) {
      assertThat(running.awaitExit(LIMIT)).as(running.stderr()).isZero();
    }
  }
}
