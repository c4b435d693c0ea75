package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HPC jobs that want the same slots, two workers of two. */
class InterleavedJobsIT {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final int TIMES = 100;

  /** More than two workers run while one job waits. */
  private static final int ENDLESS = 60_000;

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  private ClientProcess client(String name, List<String> lines, String... options)
      throws Exception {
    return ClientProcess.start(
        cluster,
        Files.createDirectory(folder.resolve(name)),
        Consistency.EXACTLY_ONCE,
        lines,
        Map.of(),
        options);
  }

  private WorkerProcess worker(String... options) {
    return new Recipe(cluster, folder).with(options).start();
  }

  /** Neither ever holds half of the slots while it waits for the other half. */
  @Test
  void two_clients_whose_jobs_need_all_slots_both_end() throws Exception {
    List<String> lines = Collections.nCopies(TIMES, "hpc 4 java barrier");
    try (WorkerProcess _ = worker().awaitReady();
        WorkerProcess _ = worker().awaitReady();
        ClientProcess one = client("one", lines);
        ClientProcess two = client("two", lines)) {
      assertThat(one.awaitExit(LIMIT)).as(one.stderr()).isZero();
      assertThat(two.awaitExit(LIMIT)).as(two.stderr()).isZero();
      assertThat(one.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TIMES));
      assertThat(two.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TIMES));
    }
  }

  @Test
  void job_of_all_slots_starts_among_small_tasks_that_do_not_end() throws Exception {
    try (WorkerProcess _ = worker("--gang-patience", "2s").awaitReady();
        WorkerProcess _ = worker("--gang-patience", "2s").awaitReady();
        ClientProcess tasks =
            client("tasks", Collections.nCopies(ENDLESS, "sleep 20"), "--bundle", "10")) {
      tasks.awaitFinished(100, LIMIT);
      try (ClientProcess job = client("job", List.of("hpc 4 java barrier"))) {
        assertThat(job.awaitExit(LIMIT)).as(job.stderr()).isZero();
      }
      long before = tasks.finished();
      assertThat(before).isLessThan(ENDLESS);
      await().atMost(LIMIT).until(() -> tasks.finished() > before + 100);
    }
  }
}
