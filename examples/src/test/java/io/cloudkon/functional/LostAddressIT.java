package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network at which other workers call a worker is removed while it runs. */
class LostAddressIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @Test
  void jobs_run_on_the_others_and_tasks_on_that_worker_as_well() throws Exception {
    try (TestCluster cluster = new TestCluster();
        Namespaces network = network();
        WorkerProcess stranded =
            new Recipe(cluster, folder)
                .slots(2)
                .with("--rmi-address", network.bridge())
                .start()
                .awaitReady()) {
      network.close();

      // it believes it when it has missed the address for half a minute
      await().atMost(LIMIT).until(() -> stranded.stderr().contains("takes no more HPC jobs"));
      await().atMost(LIMIT).until(() -> cluster.ledger().shares().isEmpty());
      assertThat(run(cluster, List.of("noop", "exec true")).counts())
          .isEqualTo(Map.of("SUCCEEDED", 2L));
      try (WorkerProcess other =
          new Recipe(cluster, folder).slots(2).with("--rmi-address", "127.0.0.1").start()) {
        other.awaitReady();
        Results results = run(cluster, List.of("hpc 2 java ring", "noop"));
        assertThat(new JobLine(results.byTask().get("1")).workers()).containsOnly(other.id());
      }
    }
  }

  private Results run(TestCluster cluster, List<String> lines) throws Exception {
    try (ClientProcess client =
        ClientProcess.start(
            cluster, folder, Consistency.EXACTLY_ONCE, lines, Map.of(), "--force")) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      return client.results();
    }
  }

  private static Namespaces network() {
    try {
      return new Namespaces(0);
    } catch (IOException e) {
      return abort("no network can be made and removed here: " + e.getMessage());
    }
  }
}
