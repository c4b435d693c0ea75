package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --preset original}: at-most-once, a message and one write for each task. */
class OriginalPresetIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int TASKS = 1_000;
  private static final int CLAIMS_PER_READ = 100;
  private static final String RUN = "as-published";

  private final TestCluster cluster = new TestCluster();
  private final AwsCloud cloud = AwsCloud.connect(Set.of(), new SystemTime());
  private final Cluster ports = cloud.cluster(cluster.name());
  @TempDir private Path folder;

  @AfterEach
  void close() {
    cloud.close();
    cluster.close();
  }

  private Running client(List<String> lines) throws IOException {
    Path file = Files.write(folder.resolve("workload.txt"), lines);
    return Processes.start(
        "cloudkon-client",
        List.of(),
        List.of(
            "-s",
            cluster.name(),
            "-w",
            file.toString(),
            "--run-id",
            RUN,
            "--out",
            folder.resolve("results").toString(),
            "--preset",
            "original"),
        cluster.environment(),
        folder);
  }

  private Running worker(String lease) {
    return Processes.start(
        "cloudkon-worker",
        List.of(),
        List.of("-s", cluster.name(), "-t", "4", "--lease", lease, "--clock-margin", "1s"),
        cluster.environment(),
        folder);
  }

  /** The claims of the first so many bundles, or of a task of each. */
  private Map<String, Claim> claims(int bundles, IntFunction<String> id) {
    Map<String, Claim> found = new HashMap<>();
    for (int from = 0; from < bundles; from += CLAIMS_PER_READ) {
      int to = Math.min(bundles, from + CLAIMS_PER_READ);
      found.putAll(ports.claims().read(IntStream.range(from, to).mapToObj(id).toList()));
    }
    return found;
  }

  private String bundle(int sequence) {
    RunEntry run = ports.runs().read(RUN).orElseThrow();
    return BundleIds.of(RUN, run.epoch(), sequence);
  }

  private List<Outcome> outcomes() throws IOException {
    return Outcome.read(folder.resolve("results").resolve("results.jsonl"));
  }

  @Test
  void a_thousand_tasks_have_their_results_and_a_thousand_claims() throws Exception {
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo n" + i).toList();
    // Longer than a busy machine takes for all that one worker may have in hand.
    try (Running worker = worker("60s");
        Running client = client(lines)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();

      assertThat(outcomes())
          .hasSize(TASKS)
          .allMatch(outcome -> outcome.status().equals("SUCCEEDED"))
          .allMatch(
              outcome -> outcome.output().equals("n" + (Integer.parseInt(outcome.task()) - 1)));
      String first = bundle(0);
      String prefix = first.substring(0, first.length() - 1);
      await()
          .atMost(LIMIT)
          .untilAsserted(() ->
              assertThat(claims(TASKS, i -> BundleIds.taskClaim(prefix + i, 0)).values())
                  .hasSize(TASKS)
                  .allMatch(claim -> claim.state() == ClaimState.LEASED && claim.seq() == 0)
                  .allMatch(claim -> claim.attemptsInAll() == 1));
      assertThat(claims(TASKS, i -> prefix + i)).isEmpty();
      await().atMost(LIMIT).until(() -> cluster.messages() == 0);
      assertThat(worker.stderr()).doesNotContain("ERROR");
    }
  }

  @Test
  void task_that_had_started_on_a_killed_worker_is_lost_and_does_not_start_again()
      throws Exception {
    Path starts = folder.resolve("starts");
    List<String> lines = new ArrayList<>();
    lines.add("exec echo started >> %s; sleep 600".formatted(starts));
    lines.addAll(Collections.nCopies(20, "noop"));
    try (Running client = client(lines)) {
      try (Running doomed = worker("4s")) {
        await().atMost(LIMIT).until(() -> Files.exists(starts));
        assertThat(doomed.stderr()).doesNotContain("ERROR");
      }
      try (Running next = worker("4s")) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
        assertThat(next.stderr()).doesNotContain("ERROR");
      }
    }

    assertThat(outcomes()).hasSize(21);
    assertThat(outcomes())
        .filteredOn(outcome -> outcome.task().equals("1"))
        .singleElement()
        .satisfies(outcome -> assertThat(outcome.status()).isEqualTo("LOST"));
    assertThat(Files.readAllLines(starts)).hasSize(1);
  }
}
