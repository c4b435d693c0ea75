package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Marked;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a real MPI program listens on workers that were told ports for it. */
class MpiPortsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int LOW = 17_300;
  private static final int HIGH = 17_399;
  private static final int RANKS = 6;

  @TempDir private Path folder;

  @Test
  void mpiexec_and_ranks_listen_on_the_named_ports_only() throws Exception {
    assumeTrue(MpiPrograms.lacking().isEmpty(), MpiPrograms.lacking());
    MpiPrograms programs = MpiPrograms.in(folder.resolve("programs"));
    try (TestCluster cluster = new TestCluster();
        ThreeWorkers workers =
            new ThreeWorkers(
                cluster,
                folder,
                new Recipe(cluster, folder).with("--mpi-ports", LOW + ":" + HIGH));
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                List.of(programs.line(RANKS, "trouble", "hang", 1)),
                Map.of(),
                "--run-id",
                cluster.name())) {
      assertThat(workers.ids()).hasSize(RANKS / 2);
      Marked commands = new Marked("CLOUDKON_RUN", cluster.name());
      // each rank's own, and mpiexec's
      await()
          .atMost(LIMIT)
          .failFast(() -> assertThat(client.alive()).as(client::said).isTrue())
          .until(() -> ListeningPorts.of(commands.processes()).size() > RANKS);

      Set<Integer> ports = ListeningPorts.of(commands.processes());
      assertThat(ports).allMatch(port -> port >= LOW && port <= HIGH);
    }
  }
}
