package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPC jobs on one worker at a time. */
class HpcOneWorkerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int ATTEMPTS = 2;

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  private ClientProcess client(String... lines) {
    return ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, List.of(lines), Map.of());
  }

  private static JobLine job(ClientProcess client, int line) {
    return new JobLine(client.results().byTask().get(Integer.toString(line)));
  }

  @Test
  void mpi_without_an_mpiexec_and_more_ranks_than_the_worker_allows_fail_with_their_reasons()
      throws Exception {
    Path nowhere = folder.resolve("nowhere");
    Recipe recipe =
        new Recipe(cluster, folder)
            .slots(4)
            .with("--max-ranks", "4")
            .environment("CLOUDKON_MPIEXEC", nowhere.toString());
    try (WorkerProcess _ = recipe.start();
        ClientProcess client =
            client("mpi 4 /bin/echo hello", "hpc 5 noop", "hpc 4 java ring", "noop")) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
      assertThat(client.results().tasks("FAILED")).containsExactlyInAnyOrder("1", "2");
      assertThat(job(client, 1).error())
          .contains("is not an MPICH mpiexec: '%s'".formatted(nowhere), "install mpich");
      assertThat(job(client, 2).error()).isEqualTo("it has 5 ranks, but --max-ranks allows 4");
      assertThat(job(client, 2).ranks()).isEmpty();
    }
  }

  /** Shows that waiting is no failure of a job, which nobody can call too large meanwhile. */
  @Test
  void job_that_was_put_back_more_often_than_it_may_be_tried_runs_once_there_are_slots()
      throws Exception {
    Recipe recipe =
        new Recipe(cluster, folder)
            .with("--max-ranks", "6", "--max-attempts", Integer.toString(ATTEMPTS));
    try (ClientProcess client = client("hpc 6 java ring")) {
      recipe.slots(1);
      for (int i = 0; i <= ATTEMPTS; i++) {
        try (WorkerProcess worker = recipe.start().awaitReady()) {
          await()
              .atMost(LIMIT)
              .until(() ->
                  cluster.ledger().waiting().stream()
                      .anyMatch(job -> job.worker().equals(worker.id())));
          worker.signal("TERM");
          assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isIn(0, 143);
        }
      }
      try (WorkerProcess _ = recipe.slots(6).start()) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
        assertThat(job(client, 1).output()).isEqualTo("15");
        await().atMost(LIMIT).until(() -> cluster.ledger().waiting().isEmpty());
      }
    }
  }
}
