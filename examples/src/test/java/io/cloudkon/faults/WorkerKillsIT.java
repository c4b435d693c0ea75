package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fifty workers killed with SIGKILL, spread over one run of tasks of 2 ms. */
@Tag("slow")
class WorkerKillsIT {
  private static final int KILLS = 50;
  private static final int TASKS = 40_000;
  private static final int MILLIS = 2;
  private static final int ALIVE = 3;

  /**
   * The last kill comes when this share of the tasks has its result: late, but LOST tasks have
   * theirs only at the very end.
   */
  private static double lastKill(Consistency mode) {
    return mode == Consistency.AT_MOST_ONCE ? 0.85 : 0.96;
  }

  private static final Duration KILLS_LIMIT = Duration.ofMinutes(5);
  private static final Duration END_LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private TestCluster cluster;
  private Numbers numbers;

  @BeforeEach
  void setUp() {
    cluster = new TestCluster();
    numbers = new Numbers(folder);
  }

  @AfterEach
  void tearDown() {
    cluster.close();
  }

  /** What a run with kills comes to. */
  private record Outcome(int exitCode, Results results, long atRisk) {}

  private Outcome runWithKills(Consistency mode) throws Exception {
    Recipe recipe =
        new Recipe(cluster, folder)
            .shortLease()
            .with("--handlers", numbers.handlers(), "--heartbeat", "off");
    Witness witness = new Witness(cluster);
    try (Fleet fleet = new Fleet(recipe, ALIVE);
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                mode,
                numbers.workload(TASKS, MILLIS),
                Map.of(),
                "--bundle",
                "20")) {
      for (int kill = 1; kill <= KILLS; kill++) {
        long due = (long) (lastKill(mode) * TASKS * kill / KILLS);
        fleet.awaitWith(KILLS_LIMIT, () -> client.finished() >= due);
        String victim = fleet.killOne();
        if (mode == Consistency.AT_MOST_ONCE) {
          witness.killed(victim);
        }
      }
      long lastKill = System.nanoTime();
      int exitCode = client.awaitExit(END_LIMIT);
      // about a lease; shown only, as a slow machine takes longer
      Duration after = Duration.ofNanos(System.nanoTime() - lastKill);
      System.out.printf(
          "%s: ended %s after the last kill, %s%n", mode, after, client.results().counts());
      return new Outcome(exitCode, client.results(), witness.startedAndNotRecorded());
    }
  }

  @Test
  void exactly_once_with_fifty_kills_gives_each_task_one_success() throws Exception {
    Outcome outcome = runWithKills(Consistency.EXACTLY_ONCE);

    assertThat(outcome.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
    assertThat(outcome.exitCode()).isZero();
    assertThat(numbers.starts()).hasSize(TASKS);
  }

  @Test
  void at_most_once_with_fifty_kills_starts_no_task_twice_and_reports_what_was_lost()
      throws Exception {
    Outcome outcome = runWithKills(Consistency.AT_MOST_ONCE);

    Map<String, Integer> starts = numbers.starts();
    Set<String> lost = outcome.results().tasks("LOST");
    Set<String> succeeded = outcome.results().tasks("SUCCEEDED");
    assertThat(starts.values()).containsOnly(1);
    assertThat(succeeded.size() + lost.size()).isEqualTo(TASKS);
    assertThat(starts.keySet()).containsAll(succeeded);
    assertThat((long) lost.size()).isLessThanOrEqualTo(outcome.atRisk());
    assertThat(outcome.exitCode()).isEqualTo(lost.isEmpty() ? 0 : 1);
  }

  @Test
  void at_least_once_with_fifty_kills_shows_one_success_of_each_task() throws Exception {
    Outcome outcome = runWithKills(Consistency.AT_LEAST_ONCE);

    assertThat(outcome.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
    assertThat(outcome.exitCode()).isZero();
    assertThat(numbers.starts()).hasSize(TASKS);
  }
}
