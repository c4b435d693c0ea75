package io.cloudkon.client.cli;

import static io.cloudkon.client.status.Clusters.NOW;
import static io.cloudkon.client.status.Clusters.provisioner;
import static io.cloudkon.client.status.Clusters.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.cli.WorkerHint.Hint;
import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerHintTest {
  private final MemoryCloud cloud = new MemoryCloud(new ManualTime());
  private final Cluster cluster = cluster();

  private Cluster cluster() {
    cloud.setup("Q");
    return cloud.cluster("Q");
  }

  private Optional<Hint> look() {
    return look(0);
  }

  private Optional<Hint> look(int jobs) {
    byte[] line = "exec true".getBytes(StandardCharsets.UTF_8);
    try (Workload workload =
        Workload.open("-", new ByteArrayInputStream(line), WorkloadFormat.TEXT)) {
      return WorkerHint.look(cluster, workload, jobs, NOW);
    }
  }

  private void take(ProvisionerStatus status) {
    assertThat(cluster.decisions().take(status.live().orElseThrow(), Optional.empty())).isTrue();
  }

  @Test
  void hint_says_once_how_to_start_a_worker_where_nobody_else_does() {
    assertThat(look())
        .contains(
            new Hint(
                "no worker is alive; the tasks are waiting. Start one with: cloudkon worker -s Q",
                "no worker is alive; the tasks are waiting. Start one with: cloudkon worker -s Q"));
  }

  @Test
  void hint_says_that_workers_boot_and_nothing_of_starting_one() {
    take(provisioner(2, "why"));

    assertThat(look())
        .contains(
            new Hint(
                "no worker is alive; the tasks are waiting: 2 workers have been booting for 40 s",
                "they boot"));
  }

  @Test
  void hint_says_why_the_provisioner_launches_none() {
    take(provisioner(0, "two launches were in vain; the next is in 40 s"));

    assertThat(look().orElseThrow().line())
        .isEqualTo(
            "no worker is alive; the tasks are waiting: the provisioner (box, process 9) reports:"
                + " two launches were in vain; the next is in 40 s");
  }

  @Test
  void nothing_is_said_where_a_worker_lives() {
    take(provisioner(2, "why"));
    cluster.workers().put(worker("w1", 0, 1_000));

    assertThat(look()).isEmpty();
  }

  @Test
  void jobs_that_no_live_worker_takes_are_told() {
    cluster.workers().put(ofTasksOnly("w1"));
    String start =
        "No live worker takes HPC jobs (worker --roles); start one that does with: cloudkon worker"
            + " -s Q";
    assertThat(look(0)).isEmpty();
    assertThat(look(2)).contains(new Hint(start, start));

    take(provisioner(2, "why"));
    assertThat(look(2))
        .contains(
            new Hint(
                "No live worker takes HPC jobs; 2 workers have been booting for 40 s",
                "they boot"));

    cluster.workers().put(worker("w2", 0, 1_000));
    assertThat(look(2)).isEmpty();
  }

  /** A worker that was started with {@code --roles mtc}. */
  private static WorkerEntry ofTasksOnly(String id) {
    return new WorkerEntry(
        id,
        "box",
        WorkerOrigin.BY_HAND,
        WorkerTakes.ALL.withoutJobs(),
        "worker",
        "",
        4,
        0,
        0,
        0,
        0,
        0,
        NOW - 60_000,
        NOW - 1_000);
  }

  @Test
  void workers_that_vanish_after_the_first_results_are_told() {
    AtomicLong done = new AtomicLong();
    List<String> said = new ArrayList<>();
    byte[] line = "exec true".getBytes(StandardCharsets.UTF_8);
    try (Workload workload =
        Workload.open("-", new ByteArrayInputStream(line), WorkloadFormat.TEXT)) {
      AtomicBoolean idle = new AtomicBoolean(true);
      WorkerHint hint =
          new WorkerHint(
              cluster, workload, done::get, () -> 0, idle::get, new ManualTime(), said::add);
      hint.look();
      assertThat(said).isEmpty(); // nothing waits for a worker
      idle.set(false);
      done.set(17);
      hint.look();
      assertThat(said).isEmpty();

      hint.look();
      hint.look();
      assertThat(said).hasSize(1);
      assertThat(said.getFirst()).startsWith("no worker is alive; the tasks are waiting.");

      done.set(18);
      hint.look();
      hint.look();
      assertThat(said).hasSize(2);
    }
  }
}
