package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.FakeImds.Mood;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers whose machine says that it is to leave, or says nothing at all. */
class NoticeIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int ENDED_ITSELF = 11;

  /**
   * The time until the interruption. Running tasks are killed 30 s before it, and it may be 10 s
   * until the worker looks for the notice, if the metadata service answered late. In between, the
   * worker's entry shows the notice.
   */
  private static final Duration NEAR = Duration.ofSeconds(75);

  /** So long that a run in which a message stays hidden does not end within its limit. */
  private static final String LEASE = "300s";

  @TempDir private Path folder;
  private final FakeImds imds =
      new FakeImds().set("instance-id", "i-1").set("instance-life-cycle", "spot");

  @AfterEach
  void close() {
    imds.close();
  }

  @Test
  void worker_whose_machine_is_taken_away_ends_before_and_its_work_runs_elsewhere()
      throws Exception {
    Gate gate = new Gate(folder);
    try (TestCluster cluster = new TestCluster();
        WorkerProcess leaving = onInstance(cluster).awaitReady();
        ClientProcess client =
            ClientProcess.start(
                cluster, folder, Consistency.EXACTLY_ONCE, List.of(gate.task()), Map.of())) {
      await().atMost(LIMIT).until(() -> gate.started().size() == 1);
      try (WorkerProcess staying = recipe(cluster).start().awaitReady()) {
        // The first answer may have come too late for the worker; it asks again.
        await().atMost(LIMIT).until(() -> isOnInstance(cluster, leaving));
        Instant end = Instant.now().plus(NEAR);
        imds.set(
            "spot/instance-action", "{\"action\":\"terminate\",\"time\":\"%s\"}".formatted(end));
        List<WorkerEntry> seen = new ArrayList<>();
        await()
            .atMost(LIMIT)
            .until(() -> seen.addAll(draining(cluster, leaving)) || !leaving.alive());
        // Where this machine stood still in between, only the log still tells.
        assertThat(leaving.stderr()).contains("(interruption): the worker drains");
        assertThat(seen)
            .as(leaving::stderr)
            .allSatisfy(entry -> {
              assertThat(entry.notice()).isEqualTo("interruption");
              assertThat(entry.origin().instance()).isEqualTo("i-1");
            });

        assertThat(leaving.awaitExit(LIMIT)).as(leaving.stderr()).isEqualTo(ENDED_ITSELF);
        assertThat(Instant.now())
            .as("well before its machine is gone")
            .isBefore(end.minusSeconds(10));
        await().atMost(LIMIT).until(() -> gate.started().size() == 2);
        gate.open();
        assertThat(client.awaitExit(LIMIT)).isZero();
        assertThat(staying.alive()).isTrue();
      }
    }
  }

  @Test
  void worker_whose_machine_does_not_answer_works_and_says_so_once() throws Exception {
    imds.is(Mood.HANGS);
    try (TestCluster cluster = new TestCluster();
        WorkerProcess worker = onInstance(cluster).awaitReady();
        ClientProcess client =
            ClientProcess.start(
                cluster, folder, Consistency.EXACTLY_ONCE, List.of("sleep 1"), Map.of())) {
      assertThat(client.awaitExit(LIMIT)).isZero();
      await().atMost(LIMIT).until(() -> imds.asked().size() > 2);

      assertThat(worker.alive()).isTrue();
      assertThat(worker.stderr())
          .containsOnlyOnce(
              "the instance metadata service at " + imds.endpoint() + " does not answer");
    }
  }

  private static List<WorkerEntry> draining(TestCluster cluster, WorkerProcess worker) {
    return cluster.ports().workers().list().stream()
        .filter(entry -> entry.id().equals(worker.id()) && entry.role().equals("draining"))
        .toList();
  }

  private static boolean isOnInstance(TestCluster cluster, WorkerProcess worker) {
    return cluster.ports().workers().list().stream()
        .anyMatch(
            entry -> entry.id().equals(worker.id()) && entry.origin().instance().equals("i-1"));
  }

  private WorkerProcess onInstance(TestCluster cluster) {
    return recipe(cluster)
        .environment("AWS_EC2_METADATA_DISABLED", "false")
        .environment("AWS_EC2_METADATA_SERVICE_ENDPOINT", imds.endpoint().toString())
        .start();
  }

  private Recipe recipe(TestCluster cluster) {
    return new Recipe(cluster, folder)
        .slots(1)
        .with("--lease", LEASE, "--heartbeat", "1s", "--drain-timeout", "90s");
  }
}
