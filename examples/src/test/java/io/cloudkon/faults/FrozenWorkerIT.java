package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.faults.TestCluster.Leased;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker that is stopped past its lease, its work taken over, and then continued. */
class FrozenWorkerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_continued_past_its_lease_changes_nothing(Consistency mode) throws Exception {
    Gate gate = new Gate(folder);
    try (TestCluster cluster = new TestCluster();
        WorkerProcess frozen = worker(cluster, 1).shortLease().start().awaitReady();
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                mode,
                Collections.nCopies(2, gate.task()),
                Map.of(),
                "--bundle",
                "1")) {
      await().atMost(LIMIT).until(() -> gate.started().size() == 1);
      frozen.signal("STOP");
      int starts = mode == Consistency.AT_MOST_ONCE ? 2 : 3;
      try (WorkerProcess successor = worker(cluster, 2).start().awaitReady()) {
        await().atMost(LIMIT).until(() -> gate.started().size() == starts);
        long first = gate.started().getFirst();
        await().atMost(LIMIT).until(() -> takenOver(mode, cluster, successor));
        assertThat(Gate.runs(first)).as("what the frozen worker ran").isFalse();

        frozen.signal("CONT");
        awaitSignOfLife(cluster, frozen.id());
        gate.open();

        boolean once = mode == Consistency.AT_MOST_ONCE;
        assertThat(client.awaitExit(LIMIT)).isEqualTo(once ? 1 : 0);
        assertThat(client.results().counts())
            .isEqualTo(once ? Map.of("LOST", 1L, "SUCCEEDED", 1L) : Map.of("SUCCEEDED", 2L));
        if (mode.claims()) {
          assertThat(client.report().get("workers").findValuesAsText("id"))
              .containsExactly(successor.id());
          assertThat(gate.started()).as("starts, at the very end").hasSize(starts);
          assertThat(cluster.claims("DONE"))
              .hasSize(2)
              .allMatch(claim -> claim.owner().equals(successor.id()));
        }
        assertThat(frozen.alive()).isTrue();
      }
    }
  }

  private Recipe worker(TestCluster cluster, int slots) {
    return new Recipe(cluster, folder).slots(slots).with("--heartbeat", "1s");
  }

  /** Where nothing is run again, its claim tells. */
  private static boolean takenOver(Consistency mode, TestCluster cluster, WorkerProcess by) {
    if (mode != Consistency.AT_MOST_ONCE) {
      return true;
    }
    List<Leased> done = cluster.claims("DONE");
    return done.size() == 1 && done.getFirst().owner().equals(by.id());
  }

  /** Until it has written to the registry twice: once may have been under way. */
  private static void awaitSignOfLife(TestCluster cluster, String worker) {
    long before = written(cluster, worker);
    await().atMost(LIMIT).until(() -> written(cluster, worker) > before + 2000);
  }

  private static long written(TestCluster cluster, String worker) {
    return cluster.ports().workers().list().stream()
        .filter(entry -> entry.id().equals(worker))
        .mapToLong(WorkerEntry::updatedMillis)
        .max()
        .orElse(0);
  }
}
