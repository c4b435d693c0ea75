package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIGTERM to a worker in the middle of a run. */
@Execution(ExecutionMode.CONCURRENT)
class DrainIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int TASKS = 1500;
  private static final int SIGTERM_EXIT = 143;

  /** So long that a run in which a message stays hidden does not end within its limit. */
  private static final String LEASE = "300s";

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_is_terminated_ends_and_hands_its_work_on_at_once(Consistency mode)
      throws Exception {
    Numbers numbers = new Numbers(folder);
    Gate gate = new Gate(folder);
    List<String> workload = new ArrayList<>(List.of(gate.task()));
    workload.addAll(numbers.workload(TASKS, 20));
    try (TestCluster cluster = new TestCluster();
        WorkerProcess leaving = worker(cluster, numbers).awaitReady();
        ClientProcess client =
            ClientProcess.start(cluster, folder, mode, workload, Map.of(), "--bundle", "20")) {
      await().atMost(LIMIT).until(() -> gate.started().size() == 1);
      client.awaitFinished(100, LIMIT);
      try (WorkerProcess staying = worker(cluster, numbers).awaitReady()) {
        leaving.signal("TERM");
        assertThat(leaving.awaitExit(LIMIT)).as(leaving.stderr()).isEqualTo(SIGTERM_EXIT);
        gate.open();
        boolean once = mode == Consistency.AT_MOST_ONCE;
        assertThat(client.awaitExit(LIMIT)).isEqualTo(once ? 1 : 0);
        assertThat(staying.alive()).isTrue();

        assertThat(client.results().tasks("LOST")).isEqualTo(once ? Set.of("1") : Set.of());
        assertThat(client.results().tasks("SUCCEEDED")).hasSize(once ? TASKS : TASKS + 1);
        assertThat(gate.started()).hasSize(once ? 1 : 2);
        assertThat(numbers.starts()).hasSize(TASKS);
        if (mode.claims()) {
          assertThat(numbers.starts().values()).containsOnly(1);
        }
      }
    }
  }

  @Test
  void second_sigterm_ends_it_at_once() throws Exception {
    Path started = folder.resolve("started");
    List<String> workload = List.of("exec touch %s; exec sleep 300".formatted(started));
    try (TestCluster cluster = new TestCluster();
        WorkerProcess leaving =
            new Recipe(cluster, folder)
                .with("--drain-timeout", "300s", "--mounts", "off")
                .start()
                .awaitReady();
        ClientProcess client =
            ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, workload, Map.of())) {
      await().atMost(LIMIT).until(() -> Files.exists(started));
      assertThat(client.alive()).isTrue();
      leaving.signal("TERM");
      await().atMost(LIMIT).until(() -> leaving.stderr().contains("draining; 1 running"));
      leaving.terminateAgain();

      assertThat(leaving.awaitExit(LIMIT)).isEqualTo(SIGTERM_EXIT);
      assertThat(leaving.stderr())
          .containsPattern("cloudkon worker: shipped files are copied (once|anew) for each ")
          .contains("interrupted again");
    }
  }

  private WorkerProcess worker(TestCluster cluster, Numbers numbers) {
    return new Recipe(cluster, folder)
        .with("--lease", LEASE, "--drain-timeout", "2s", "--handlers", numbers.handlers())
        .start();
  }
}
