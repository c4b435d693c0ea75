package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.Faults;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Three workers of two slots whose logs are read, and what they may leave behind. */
final class LoggedWorkers implements AutoCloseable {
  static final int WORKERS = 3;
  static final int SLOTS = 2;
  static final Duration LEASE = Duration.ofSeconds(6);
  static final Duration MARGIN = Duration.ofMillis(500);

  private static final Duration SOON = Duration.ofMinutes(1);

  private final TestCluster cluster;
  private final Marked marked;
  private final Ports ports = new Ports();
  private final List<GangLog> logs = new ArrayList<>();

  /** Starts them. */
  LoggedWorkers(TestCluster cluster, Path folder) {
    this.cluster = cluster;
    this.marked = new Marked("CLOUDKON_TEST_MARK", cluster.name());
    Recipe recipe =
        new Recipe(cluster, folder)
            .slots(SLOTS)
            .with("--lease", LEASE.toSeconds() + "s", "--clock-margin", MARGIN.toMillis() + "ms")
            .with("--gang-timeout", "3s", "--max-attempts", "50", "--heartbeat", "off")
            .environment(marked.name(), marked.value())
            .environment("CLOUDKON_LOG", "DEBUG")
            // so that a blow falls before what was just logged, rather than after it
            .environment(Faults.VARIABLE, "delay=60ms");
    for (int i = 0; i < WORKERS; i++) {
      logs.add(new GangLog(recipe.start()));
    }
  }

  /** Until their slots are in the ledger. */
  void awaitReady() {
    logs.forEach(log -> ports.note(log.worker().awaitReady().pid()));
    assertThat(ports.noted()).hasSize(WORKERS);
    awaitLedgerOfLiving();
  }

  List<GangLog> logs() {
    return logs;
  }

  /** How often any of them has told sub-workers to start their ranks. */
  int starts() {
    return logs.stream().mapToInt(GangLog::starts).sum();
  }

  List<WorkerProcess> living() {
    return logs.stream().map(GangLog::worker).filter(WorkerProcess::alive).toList();
  }

  /** Soon the ledger is as if nobody else had ever been there: what the dead had is swept. */
  void awaitLedgerOfLiving() {
    List<String> ids = living().stream().map(WorkerProcess::id).toList();
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          LedgerView ledger = cluster.ledger();
          assertThat(ledger.shares()).map(Share::id).containsExactlyInAnyOrderElementsOf(ids);
          assertThat(ledger.counter().free()).isEqualTo(SLOTS * ids.size());
          assertThat(ledger.counter().reserved()).isZero();
          assertThat(ledger.waiting()).isEmpty();
          assertThat(ledger.reservation()).isNull();
        });
  }

  /** They leave, as on SIGTERM, and nothing stays of them or of those that died. */
  void leave() throws InterruptedException {
    List<WorkerProcess> living = living();
    for (WorkerProcess worker : living) {
      ports.note(worker.pid());
      worker.signal("TERM");
    }
    for (WorkerProcess worker : living) {
      assertThat(worker.awaitExit(SOON)).as("exit code").isIn(0, 143);
    }
    assertThat(cluster.ledger()).isEqualTo(LedgerView.EMPTY);
    List<String> ids = living.stream().map(WorkerProcess::id).toList();
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(marked.processes()).as("processes").isEmpty();
          assertThat(ports.open()).as("ports").isEmpty();
          assertThat(cluster.messages() + cluster.hpcMessages()).as("messages").isZero();
          assertThat(cluster.responseQueues()).as("response queues").isEmpty();
          assertNoClaimsOf(ids);
        });
  }

  /** A dead worker's claim stays if the run is over by the time that others find its message. */
  private void assertNoClaimsOf(List<String> owners) {
    for (String state : List.of("LEASED", "LOSING")) {
      assertThat(cluster.claims(state)).noneMatch(claim -> owners.contains(claim.owner()));
    }
  }

  /** What each of them said. */
  String said() {
    return logs.stream()
        .map(log -> "---- worker %d%n%s".formatted(log.worker().pid(), log.worker().stderr()))
        .collect(Collectors.joining());
  }

  @Override
  public void close() {
    logs.forEach(log -> log.worker().close());
  }
}
