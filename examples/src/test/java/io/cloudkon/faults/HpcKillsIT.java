package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is killed with SIGKILL every second, if enough of them work by then, or stopped with
 * SIGSTOP past its lease and then continued, while jobs of one to four ranks run. {@code
 * -Dcloudkon.hpc.jobs=500} makes it long.
 */
@Tag("slow")
class HpcKillsIT {
  private static final int JOBS = Integer.getInteger("cloudkon.hpc.jobs", 60);
  private static final int ALIVE = 8;

  /** Before the next one is killed so many must work: on a slow machine they take long to start. */
  private static final int WORKING = 5;

  private static final int SLOTS = 2;
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Every so many turns a worker is stopped rather than killed. */
  private static final int FREEZE = 7;

  /** So many turns later it is continued: its lease and the margin are over. */
  private static final int THAW = 6;

  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final Duration SOON = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private TestCluster cluster;
  private RankTicks ticks;
  private Marked marked;

  @BeforeEach
  void setUp() {
    cluster = new TestCluster();
    ticks = new RankTicks(folder);
    marked = new Marked("CLOUDKON_TEST_MARK", cluster.name());
  }

  @AfterEach
  void tearDown() {
    cluster.close();
  }

  private List<String> workload() {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    for (int job = 1; job <= JOBS; job++) {
      int ranks = 1 + random.nextInt(4);
      lines.add(job % 3 == 0 ? ticks.exec(job, ranks) : ticks.java(job, ranks));
    }
    return lines;
  }

  @Test
  void every_job_has_one_success_and_no_two_attempts_at_once() throws Exception {
    assertThat(cluster.ledger()).isEqualTo(LedgerView.EMPTY);
    Recipe recipe =
        new Recipe(cluster, folder)
            .slots(SLOTS)
            .with("--lease", "4s", "--clock-margin", "500ms", "--gang-timeout", "3s")
            .with("--max-attempts", "50", "--handlers", ticks.handlers(), "--heartbeat", "off")
            .environment(marked.name(), marked.value());
    Ports ports = new Ports();
    long begun = System.nanoTime();
    int turns = 0;
    try (Fleet fleet = new Fleet(recipe, ALIVE)) {
      try (ClientProcess client =
          ClientProcess.start(cluster, folder, Consistency.EXACTLY_ONCE, workload(), Map.of())) {
        for (long due = System.nanoTime(); client.alive(); due += EVERY.toNanos()) {
          long turn = due;
          fleet.awaitWith(WORKING, LIMIT, () -> System.nanoTime() - turn >= 0 || !client.alive());
          due = Math.max(due, System.nanoTime() - EVERY.toNanos());
          fleet.workers().forEach(worker -> ports.note(worker.pid()));
          turns++;
          if (turns % FREEZE == 0) {
            fleet.freezeOne();
          } else {
            String _ = fleet.killOne();
          }
          if (turns % FREEZE == THAW) {
            fleet.thawOne();
          }
        }
        System.out.printf(
            "%d jobs with %d workers killed or stopped took %s; %d attempts of ranks%n",
            JOBS, turns, Duration.ofNanos(System.nanoTime() - begun), ticks.attempts());
        assertThat(client.awaitExit(SOON)).as(client.said()).isZero();
        assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) JOBS));
        assertThat(client.results().byTask()).hasSize(JOBS);
      }
      assertThat(ticks.overlapsOfRanks()).isEmpty();
      assertThat(ticks.overlapsOfJobs()).isEmpty();
      fleet.thawOne();
      assertLedgerHoldsOnly(fleet);
      for (WorkerProcess worker : fleet.workers()) {
        ports.note(worker.awaitReady().pid());
        worker.signal("TERM");
        assertThat(worker.awaitExit(SOON)).as(worker.stderr()).isIn(0, 143);
      }
    }
    assertThat(cluster.ledger()).isEqualTo(LedgerView.EMPTY);
    await().atMost(SOON).untilAsserted(() -> assertThat(marked.processes()).isEmpty());
    await().atMost(SOON).untilAsserted(() -> assertThat(cluster.hpcMessages()).isZero());
    assertThat(ports.noted()).hasSizeGreaterThanOrEqualTo(ALIVE);
    assertThat(ports.open()).isEmpty();
  }

  /** Soon: what the dead had in it is swept when its lease is over. */
  private void assertLedgerHoldsOnly(Fleet fleet) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          List<String> living = fleet.workers().stream().map(w -> w.awaitReady().id()).toList();
          LedgerView ledger = cluster.ledger();
          assertThat(ledger.shares()).map(Share::id).containsExactlyInAnyOrderElementsOf(living);
          assertThat(ledger.counter().free()).isEqualTo(SLOTS * living.size());
          assertThat(ledger.counter().reserved()).isZero();
          assertThat(ledger.waiting()).isEmpty();
        });
  }
}
