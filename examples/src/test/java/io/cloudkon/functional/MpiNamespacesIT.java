package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on workers that have addresses of their own, as on machines of their own. */
class MpiNamespacesIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int WORKERS = 3;

  @TempDir private Path folder;

  @Test
  void ranks_on_workers_with_addresses_of_their_own_reach_each_other() throws Exception {
    assumeTrue(MpiPrograms.lacking().isEmpty(), MpiPrograms.lacking());
    MpiPrograms programs = MpiPrograms.in(folder.resolve("programs"));
    List<WorkerProcess> workers = new ArrayList<>();
    try (Namespaces namespaces = namespaces();
        TestCluster cluster = new TestCluster()) {
      try {
        Map<String, String> environment = namespaces.seenFromWithin(cluster.environment());
        for (int i = 0; i < WORKERS; i++) {
          Recipe recipe = new Recipe(cluster, folder).by(namespaces.within(i));
          environment.forEach(recipe::environment);
          workers.add(
              recipe
                  .with("--insecure-endpoint", namespaces.bridge())
                  .with("--rmi-address", namespaces.address(i))
                  .start());
        }
        workers.forEach(WorkerProcess::awaitReady);
        assertJobsRun(cluster, programs, workers.stream().map(WorkerProcess::id).toList());
      } finally {
        workers.forEach(WorkerProcess::close);
      }
    }
  }

  private static Namespaces namespaces() {
    try {
      return new Namespaces(WORKERS);
    } catch (IOException e) {
      return abort("not run in network namespaces, as none can be made here: " + e.getMessage());
    }
  }

  private void assertJobsRun(TestCluster cluster, MpiPrograms programs, List<String> workers)
      throws Exception {
    List<String> lines =
        List.of(
            programs.line(4, "pi", 1_000_000),
            programs.line(6, "ring", 3),
            "hpc 6 java ring 20",
            programs.line(6, "trouble", "exit", 3));
    try (ClientProcess client =
        ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, lines, Map.of())) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
      Results results = client.results();
      assertThat(results.tasks("FAILED")).containsExactly("4");
      assertThat(job(results, "1").stdout()).isEqualTo("pi is 3.1415926536, by 4 ranks\n");
      assertThat(job(results, "2").stdout()).contains("rank 5 of 6 passed on 45\n");
      assertThat(Set.copyOf(job(results, "2").workers())).isEqualTo(Set.copyOf(workers));
      assertThat(job(results, "3").output()).isEqualTo("300");
      assertThat(job(results, "4").exitCode()).isEqualTo(3);
    }
  }

  private static JobLine job(Results results, String task) {
    return new JobLine(results.byTask().get(task));
  }
}
