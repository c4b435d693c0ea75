package io.cloudkon.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.ProvisionerProcess;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPC jobs from an empty fleet, its minimum, and a client that dies with most of its tasks. */
class ProvisionedFleetIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  private ProvisionerProcess provisioner(String... options) {
    return ProvisionerProcess.start(cluster, folder, Map.of(), options).awaitReady();
  }

  private ClientProcess client(List<String> lines) {
    return ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, lines, Map.of());
  }

  @Test
  void job_as_wide_as_the_fleet_may_be_runs_and_a_wider_one_fails_saying_so() throws Exception {
    try (ProvisionerProcess provisioner = provisioner("--max", "3", "--worker-slots", "2");
        ClientProcess client = client(List.of("hpc 6 sleep 100", "hpc 8 sleep 100"))) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);

      assertThat(client.results().byTask().get("1").path("status").asText()).isEqualTo("SUCCEEDED");
      assertThat(client.results().byTask().get("2").path("status").asText()).isEqualTo("FAILED");
      assertThat(client.results().byTask().get("2").path("error").asText()).contains("6 slots");
      assertThat(ProvisionerProcess.workers(folder)).hasSize(3);
      assertThat(provisioner.alive()).isTrue();
    }
  }

  @Tag("slow")
  @Test
  void of_ten_workers_that_are_idle_the_minimum_stays() throws Exception {
    try (ProvisionerProcess provisioner =
            provisioner(
                "--min",
                "2",
                "--max",
                "10",
                "--target",
                "5s",
                "--worker-slots",
                "1",
                "--idle-timeout",
                "4s");
        ClientProcess client = client(Collections.nCopies(300, "sleep 500"))) {
      await().atMost(LIMIT).until(() -> ProvisionerProcess.workers(folder).size() == 10);
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();

      await().atMost(LIMIT).until(() -> ProvisionerProcess.workers(folder).size() == 2);
      await()
          .during(Duration.ofSeconds(10))
          .atMost(LIMIT)
          .until(() -> ProvisionerProcess.workers(folder).size() == 2);
      assertThat(cluster.ports().decisions().seats()).hasSize(2);
      assertThat(provisioner.alive()).isTrue();
    }
  }

  @Test
  void fleet_of_a_client_that_was_killed_works_off_what_was_sent_and_ends() {
    try (ProvisionerProcess provisioner =
            provisioner(
                "--max", "2", "--worker-slots", "8", "--target", "10s", "--idle-timeout", "4s");
        ClientProcess client = client(Collections.nCopies(1_000_000, "sleep 5"))) {
      await().atMost(LIMIT).until(() -> bundles() > 0);
      client.kill();

      await().atMost(LIMIT).until(() -> !ProvisionerProcess.workers(folder).isEmpty());
      await()
          .atMost(LIMIT)
          .until(() -> bundles() == 0 && ProvisionerProcess.workers(folder).isEmpty());
      assertThat(provisioner.alive()).isTrue();
    }
  }

  private long bundles() {
    QueueDepth depth = cluster.ports().requests().depth();
    return depth.waiting() + depth.delayed() + depth.inFlight();
  }
}
