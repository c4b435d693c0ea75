package io.cloudkon.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Workers that end themselves, as processes. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class WorkerLifetimeIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String[] SHORT = {"--idle-timeout", "15s", "--billing-minimum", "0s"};

  private final TestCluster cluster = new TestCluster();
  private final SystemTime time = new SystemTime();
  private final AwsCloud cloud = AwsCloud.connect(Set.of(), time);
  private final Cluster ports = cloud.cluster(cluster.name());
  @TempDir private Path folder;

  @AfterEach
  void close() {
    cloud.close();
    cluster.close();
  }

  private Running worker(Map<String, String> more, String... options) {
    Map<String, String> environment = new HashMap<>(cluster.environment());
    environment.putAll(more);
    List<String> arguments = new ArrayList<>(List.of("-s", cluster.name(), "-t", "2"));
    arguments.addAll(List.of(options));
    return Processes.start("cloudkon-worker", List.of(), arguments, environment, folder);
  }

  @Test
  void launched_worker_says_so_and_ends_itself_with_11() throws Exception {
    Map<String, String> launched =
        Map.of(
            "CLOUDKON_LAUNCH",
            "token-1",
            "CLOUDKON_INSTANCE",
            "1",
            "CLOUDKON_INSTANCE_TYPE",
            "process");
    try (Running worker = worker(launched, SHORT)) {
      await().atMost(LIMIT).until(() -> !ports.workers().list().isEmpty());
      WorkerEntry entry = ports.workers().list().getFirst();
      assertThat(entry.origin()).isEqualTo(new WorkerOrigin("token-1", "1", "process", ""));

      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isEqualTo(11);
      assertThat(ports.workers().list()).isEmpty();
    }
  }

  @Test
  void worker_of_a_script_ends_with_0() throws Exception {
    try (Running worker = worker(Map.of(), "--exit-when-idle", "2s")) {
      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isZero();
    }
  }

  @Test
  void worker_that_has_lived_for_long_enough_ends_with_11() throws Exception {
    try (Running worker = worker(Map.of(), "--max-lifetime", "2s")) {
      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isEqualTo(11);
    }
  }

  @Test
  void minimum_of_one_keeps_one_of_three_until_it_is_lowered() throws Exception {
    minimum(1);
    try (Running first = worker(Map.of(), SHORT);
        Running second = worker(Map.of(), SHORT);
        Running third = worker(Map.of(), SHORT)) {
      List<Running> all = List.of(first, second, third);
      await().atMost(LIMIT).until(() -> ports.workers().list().size() == 3);

      await().atMost(LIMIT).until(() -> ports.workers().list().size() == 1);
      await()
          .during(Duration.ofSeconds(10))
          .atMost(LIMIT)
          .until(() -> ports.workers().list().size() == 1);
      assertThat(ports.decisions().seats()).hasSize(1);

      minimum(0);
      for (Running worker : all) {
        assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isEqualTo(11);
      }
      assertThat(ports.decisions().seats()).isEmpty();
    }
  }

  private void minimum(int workers) {
    Optional<ProvisionerEntry> seen = ports.decisions().provisioner();
    long now = time.serviceMillis();
    ProvisionerEntry entry =
        new ProvisionerEntry(
            "p" + workers,
            "host",
            now + 15_000,
            new ProvisionerEntry.Settings("process", workers, 4, 2, WorkerTakes.ALL),
            0,
            0,
            ProvisionerEntry.Fleet.UNSEEN,
            now);
    assertThat(ports.decisions().take(entry, seen)).isTrue();
  }

  @Test
  void bad_times_are_one_line_and_exit_2() throws Exception {
    for (String[] bad :
        List.of(
            new String[] {"--idle-timeout", "0"},
            new String[] {"--max-lifetime", "soon"},
            new String[] {"--billing-period", "1h"},
            new String[] {"--exit-when-idle", "1s", "--idle-timeout", "1s"})) {
      try (Running worker = worker(Map.of(), bad)) {
        assertThat(worker.awaitExit(LIMIT)).isEqualTo(2);
        assertThat(worker.stderr()).contains(bad[0]).hasLineCount(1);
      }
    }
  }
}
