package io.cloudkon.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.ProvisionerProcess;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A fleet of worker processes that grows with its queue and ends itself. */
@Execution(ExecutionMode.CONCURRENT)
class ProvisionerIT {
  private static final int TASKS = 1_500;
  private static final Duration RUN_LIMIT = Duration.ofMinutes(5);
  private static final Duration IDLE = Duration.ofSeconds(5);

  /**
   * A worker's last long poll ends with its idle time; then it looks a last time, for a second.
   * That takes 5 s at most, and many times as long on a machine that builds other things as well.
   */
  private static final Duration GONE_LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  private ProvisionerProcess provisioner(String... options) {
    return ProvisionerProcess.start(cluster, folder, Map.of(), options);
  }

  @Test
  void fleet_comes_with_the_tasks_and_is_gone_soon_after_them() throws Exception {
    try (ProvisionerProcess provisioner =
            provisioner(
                "--min",
                "0",
                "--max",
                "3",
                "--target",
                "5s",
                "--worker-slots",
                "2",
                "--idle-timeout",
                IDLE.toSeconds() + "s");
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                Collections.nCopies(TASKS, "sleep 20"),
                Map.of())) {
      assertThat(client.awaitExit(RUN_LIMIT)).as(client.said()).isZero();
      assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TASKS));

      await().atMost(GONE_LIMIT).until(() -> ProvisionerProcess.workers(folder).isEmpty());
      assertThat(provisioner.alive()).isTrue();
      assertThat(ProvisionerProcess.greetings(folder)).isBetween(1L, 6L);
      assertThat(ProvisionerProcess.explain(cluster, folder))
          .contains("#1  launch ")
          .contains("tasks are unfinished")
          .contains("decides (process launcher, 0 to 3 workers)");

      provisioner.signal("TERM");
      provisioner.awaitExit(GONE_LIMIT);
      assertThat(provisioner.stderr())
          .contains("cloudkon provisioner: stopping; no worker is running");
      assertThat(ProvisionerProcess.explain(cluster, folder))
          .contains("no provisioner has decided since");
    }
  }

  @Test
  void command_that_ends_at_once_is_tried_a_few_times_and_told_in_one_line() throws Exception {
    try (ProvisionerProcess provisioner =
        provisioner("--min", "1", "--max", "3", "--worker-command", "/bin/false")) {
      await()
          .atMost(GONE_LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .during(Duration.ofSeconds(60))
          .until(() -> logs() <= 5);

      assertThat(logs()).isPositive();
      List<String> told =
          provisioner.stderr().lines().filter(line -> line.contains("WARN")).toList();
      assertThat(told).hasSizeBetween(1, 5);
      assertThat(told.getFirst()).contains("did not register").contains("exit code 1");
    }
  }

  private long logs() throws Exception {
    if (!Files.isDirectory(folder.resolve("logs"))) {
      return 0;
    }
    try (var files = Files.list(folder.resolve("logs"))) {
      return files.count();
    }
  }

  @Test
  void dry_run_says_what_it_would_launch_and_launches_nothing() throws Exception {
    try (ProvisionerProcess dry = provisioner("--min", "2", "--max", "3", "--dry-run")) {
      await().atMost(GONE_LIMIT).until(() -> dry.stdout().lines().count() >= 3);

      assertThat(dry.stdout()).contains("would launch 2 workers: ");
      assertThat(ProvisionerProcess.workers(folder)).isEmpty();
      assertThat(ProvisionerProcess.explain(cluster, folder))
          .contains("no provisioner has ever run here");
    }
  }
}
