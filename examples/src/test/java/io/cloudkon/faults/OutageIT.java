package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.Faults;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.testing.EmulatorProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQS and DynamoDB are gone for longer than a lease, or falter all the time. */
@Tag("slow")
class OutageIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration OUTAGE = Duration.ofSeconds(20);
  private static final int TASKS = 1500;
  private static final int MILLIS = 20;

  /** After so many tasks come some that wait for the outage, more than there are slots. */
  private static final int BEFORE = 1000;

  private static final int WAITING = 16;

  /** A part of all calls fails, is throttled, or has its effect and no answer. */
  private static final Map<String, String> FLAKY =
      Map.of(Faults.VARIABLE, "seed=11,fail=0.03,throttle=0.03,lose=0.05");

  @TempDir private Path folder;

  @Test
  void run_in_each_mode_outlives_twenty_seconds_without_aws() throws Exception {
    try (EmulatorProcess aws = EmulatorProcess.start()) {
      List<Run> runs = start(aws, Map.of());
      try {
        for (Run run : runs) {
          run.client.awaitFinished(100, LIMIT);
        }
        Processes.signal(aws.process(), "STOP");
        for (Run run : runs) {
          run.letAllRun();
        }
        await().timeout(LIMIT).pollDelay(OUTAGE).until(() -> true);
        Processes.signal(aws.process(), "CONT");
        for (Run run : runs) {
          run.assertEndsWithEachTaskOnce();
          assertThat(run.client.results().longestPause())
              .as("%s: the longest time in which no task was started", run.mode)
              .isGreaterThan(OUTAGE.dividedBy(2));
          run.workers.forEach(worker -> assertTellsOnce(worker.stderr()));
          assertTellsOnce(run.client.stderr());
        }
      } finally {
        runs.forEach(Run::close);
      }
    }
  }

  /**
   * One line for each service that is gone, one when it is back, and no stack traces. Receives of
   * SQS may wait for all of that time.
   */
  private static void assertTellsOnce(String told) {
    assertThat(told).contains("DynamoDB has not answered for ", "DynamoDB answers again, after ");
    assertThat(told.lines().filter(line -> line.contains(" answer"))).as(told).hasSizeBetween(2, 4);
    assertThat(told).doesNotContain("\tat ");
  }

  @Test
  void run_in_each_mode_succeeds_where_calls_fail_and_answers_are_lost() throws Exception {
    List<Run> runs = start(EmulatorProcess.shared(), FLAKY);
    try {
      for (Run run : runs) {
        run.letAllRun();
        run.assertEndsWithEachTaskOnce();
        Results results = run.client.results();
        assertThat(results.counts())
            .as("%s: %s", run.mode, results.unsuccessful())
            .isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
      }
    } finally {
      runs.forEach(Run::close);
    }
  }

  private List<Run> start(EmulatorProcess aws, Map<String, String> faults) throws IOException {
    List<Run> runs = new ArrayList<>();
    for (Consistency mode : Consistency.values()) {
      Path its = Files.createDirectory(folder.resolve(mode.label()));
      runs.add(new Run(mode, new TestCluster(aws), faults, its));
    }
    return runs;
  }

  /** One mode's cluster, with a client and two workers. */
  private static final class Run implements AutoCloseable {
    private final Consistency mode;
    private final Numbers numbers;
    private final TestCluster cluster;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final ClientProcess client;
    private final Path gate;

    Run(Consistency mode, TestCluster cluster, Map<String, String> faults, Path folder) {
      this.mode = mode;
      this.numbers = new Numbers(folder);
      this.cluster = cluster;
      this.gate = folder.resolve("gate");
      Recipe recipe = new Recipe(cluster, folder).with("--handlers", numbers.handlers());
      faults.forEach(recipe::environment);
      workers.add(recipe.start());
      workers.add(recipe.start());
      List<String> lines = new ArrayList<>(numbers.workload(TASKS, MILLIS));
      for (int i = BEFORE; i < BEFORE + WAITING; i++) {
        lines.set(i, numbers.waiting(i + 1, gate));
      }
      this.client = ClientProcess.start(cluster, folder, mode, lines, faults, "--bundle", "20");
    }

    /** Ends the tasks that wait, so that the later ones can start. */
    void letAllRun() throws IOException {
      Files.createFile(gate);
    }

    void assertEndsWithEachTaskOnce() throws InterruptedException {
      int exitCode = client.awaitExit(LIMIT);
      assertThat(exitCode).as("%s: %s", mode, client.stderr()).isBetween(0, 1);
      assertThat(workers).allMatch(WorkerProcess::alive);
      Results results = client.results();
      Map<String, Integer> starts = numbers.starts();
      assertThat(starts.keySet()).containsAll(results.tasks("SUCCEEDED"));
      switch (mode) {
        case EXACTLY_ONCE, AT_LEAST_ONCE ->
            assertThat(results.counts())
                .as("%s", mode)
                .isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
        case AT_MOST_ONCE -> {
          assertThat(starts.values()).containsOnly(1);
          assertThat(results.byTask()).hasSize(TASKS);
        }
      }
      assertThat(exitCode).isEqualTo(results.tasks("LOST").isEmpty() ? 0 : 1);
    }

    @Override
    public void close() {
      workers.forEach(WorkerProcess::close);
      client.close();
      cluster.close();
    }
  }
}
