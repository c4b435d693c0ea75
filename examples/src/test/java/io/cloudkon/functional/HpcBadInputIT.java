package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPC jobs that cannot be: each fails with the reason, and the rest of its workload goes on. */
class HpcBadInputIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir private Path folder;
  private TestCluster cluster;
  private Path nowhere;

  @BeforeEach
  void start() {
    cluster = new TestCluster();
    nowhere = folder.resolve("nowhere");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private Results run(Recipe recipe, List<String> lines, String... options) throws Exception {
    try (ThreeWorkers workers = new ThreeWorkers(cluster, folder, recipe)) {
      Results results = workers.explainFailure(() -> run(lines, options));
      workers.assertNothingRuns();
      workers.assertOnlyTheirShares();
      workers.leave();
      return results;
    }
  }

  private Results run(List<String> lines, String... options) throws Exception {
    try (ClientProcess client =
        ClientProcess.start(
            cluster,
            folder,
            Consistency.EXACTLY_ONCE,
            lines,
            Map.of(),
            ThreeWorkers.watched(cluster, options))) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
      assertThat(client.results().byTask()).hasSize(lines.size());
      return client.results();
    }
  }

  private static JobLine job(Results results, int line) {
    return new JobLine(results.byTask().get(Integer.toString(line)));
  }

  private Recipe recipe() {
    return new Recipe(cluster, folder);
  }

  @Test
  void program_or_handler_that_is_not_there_fails_its_job() throws Exception {
    Results results =
        run(
            recipe(),
            List.of(
                "hpc 4 exec %s".formatted(nowhere),
                "hpc 4 java nosuch",
                "hpc 6 java ring",
                "noop"));

    assertThat(results.counts()).isEqualTo(Map.of("FAILED", 2L, "SUCCEEDED", 2L));
    JobLine program = job(results, 1);
    assertThat(program.exitCode()).isEqualTo(127);
    assertThat(program.stderr()).contains(nowhere.toString());
    assertThat(program.error()).startsWith("rank ").contains("127");
    assertThat(job(results, 2).error()).contains("'nosuch'", "barrier", "ring");
  }

  @Test
  void rank_that_throws_fails_its_job_with_what_it_said() throws Exception {
    Results results =
        run(recipe(), List.of("hpc 4 java tricks throw 2", "hpc 6 java ring", "noop"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).startsWith("rank 2: ").contains("on purpose by rank 2");
    assertThat(job(results, 2).output()).isEqualTo("15");
  }

  @Test
  void rank_that_never_reaches_the_barrier_ends_its_job_when_its_time_is_over() throws Exception {
    Results results =
        run(
            recipe(),
            List.of("hpc 4 java tricks absent 1", "hpc 6 exec sleep 60", "hpc 6 java ring", "noop"),
            "--timeout",
            "4s");

    assertThat(results.counts()).isEqualTo(Map.of("TIMED_OUT", 2L, "SUCCEEDED", 2L));
    assertThat(job(results, 1).error()).startsWith("rank ").contains("4");
  }

  @Test
  void more_ranks_than_the_workers_allow_fail_at_once() throws Exception {
    Results results =
        run(
            recipe().with("--max-ranks", "4"),
            List.of("hpc 5 noop", "noop", "hpc 4 java ring", "sleep 10"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).isEqualTo("it has 5 ranks, but --max-ranks allows 4");
    assertThat(job(results, 1).ranks()).isEmpty();
  }

  @Test
  void more_ranks_than_live_workers_have_slots_fail_after_a_while() throws Exception {
    Results results = run(recipe(), List.of("hpc 7 noop", "noop", "hpc 6 java ring", "sleep 10"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).contains("7 ranks", "6 slots", "start more workers");
    assertThat(job(results, 3).output()).isEqualTo("15");
  }

  @Test
  void mpi_without_an_mpiexec_fails_and_says_what_to_install() throws Exception {
    Results results =
        run(
            recipe().environment("CLOUDKON_MPIEXEC", nowhere.toString()),
            List.of("mpi 4 /bin/echo hello", "hpc 4 java ring", "noop"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error())
        .contains("is not an MPICH mpiexec: '%s'".formatted(nowhere), "install mpich");
  }

  @Test
  void mpi_of_a_program_that_is_not_there_fails_and_names_it() throws Exception {
    assumeTrue(MpiPrograms.lacking().isEmpty(), MpiPrograms.lacking());
    Results results =
        run(recipe(), List.of("mpi 4 %s x".formatted(nowhere), "hpc 4 java ring", "noop"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).contains(nowhere.toString());
  }

  /** Nobody could say of it that it is too large, and it is no failure to wait. */
  @Test
  void job_that_was_put_back_more_often_than_it_may_be_tried_runs_once_there_are_slots()
      throws Exception {
    List<String> lines = List.of("hpc 6 java ring", "exec exit 1");
    Path place = Files.createDirectory(folder.resolve("client"));
    Recipe small = recipe().slots(1).with("--max-ranks", "6", "--max-attempts", "2");
    try (ClientProcess client =
        ClientProcess.start(cluster, place, Consistency.EXACTLY_ONCE, lines, Map.of())) {
      for (int i = 0; i < 6; i++) {
        try (var worker = small.start().awaitReady()) {
          await()
              .atMost(LIMIT)
              .until(() ->
                  cluster.ledger().waiting().stream()
                      .anyMatch(job -> job.worker().equals(worker.id())));
          worker.signal("TERM");
          assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isIn(0, 143);
        }
      }
      try (ThreeWorkers workers = new ThreeWorkers(cluster, folder, recipe())) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
        assertThat(job(client.results(), 1).output()).isEqualTo("15");
        workers.assertOnlyTheirShares();
        workers.leave();
      }
    }
  }
}
