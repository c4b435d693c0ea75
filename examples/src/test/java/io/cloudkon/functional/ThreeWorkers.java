package io.cloudkon.functional;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.faults.HandlerJar;
import io.cloudkon.faults.Marked;
import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Three worker processes of two slots each, for HPC jobs. */
final class ThreeWorkers implements AutoCloseable {
  private static final int WORKERS = 3;
  private static final int SLOTS = 2;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final TestCluster cluster;
  private final Marked marked;
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final List<Marked> runs = new ArrayList<>();

  /** Starts them, and waits until their slots are in the ledger. */
  ThreeWorkers(TestCluster cluster, Path folder, Recipe recipe) {
    this.cluster = cluster;
    this.marked = new Marked("CLOUDKON_TEST_MARK", cluster.name());
    Path handlers = folder.resolve("handlers");
    HandlerJar.write(handlers.resolve("tricks.jar"), RankHandler.class, RankTricksHandler.class);
    recipe
        .slots(SLOTS)
        .with("--handlers", handlers.toString())
        .environment(marked.name(), marked.value());
    for (int i = 0; i < WORKERS; i++) {
      workers.add(recipe.start());
    }
    workers.forEach(WorkerProcess::awaitReady);
    assertOnlyTheirShares();
  }

  List<String> ids() {
    return workers.stream().map(WorkerProcess::id).toList();
  }

  /** Does it; where it fails, how the cluster stood and what the workers said are told as well. */
  <T> T explainFailure(Callable<T> work) throws Exception {
    try {
      return work.call();
    } catch (AssertionError e) {
      e.addSuppressed(
          new AssertionError(
              "ledger %s, messages %d, of jobs %d%n%s"
                  .formatted(
                      cluster.ledger(),
                      cluster.messages(),
                      cluster.hpcMessages(),
                      workers.stream().map(WorkerProcess::stderr).collect(joining("\n")))));
      throw e;
    }
  }

  /** Soon nothing stands in the ledger but what the workers bring. */
  private void assertOnlyTheirShares() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> {
          LedgerView ledger = cluster.ledger();
          assertThat(ledger.shares())
              .hasSize(WORKERS)
              .allMatch(share -> share.kind() == Share.Kind.WORKER && share.slots() == SLOTS);
          assertThat(ledger.shares()).map(Share::id).containsExactlyInAnyOrderElementsOf(ids());
          assertThat(ledger.counter().free()).isEqualTo(WORKERS * SLOTS);
          assertNobodyWaits(ledger);
        });
  }

  private static void assertNobodyWaits(LedgerView ledger) {
    assertThat(ledger.counter().reserved()).isZero();
    assertThat(ledger.waiting()).isEmpty();
    assertThat(ledger.reservation()).isNull();
  }

  /** A client's options, by which {@link #assertNothingLeft} finds what its run leaves. */
  String[] watched(String... options) {
    String run = cluster.name() + "-" + runs.size();
    runs.add(new Marked("CLOUDKON_RUN", run));
    return Stream.concat(Stream.of("--run-id", run), Stream.of(options)).toArray(String[]::new);
  }

  /** Soon no rank of a {@link #watched} run lives, and no slot is taken or asked for. */
  void assertNothingLeft() {
    for (Marked run : runs) {
      await().atMost(LIMIT).untilAsserted(() -> assertThat(run.processes()).isEmpty());
    }
    assertOnlyTheirShares();
  }

  /** They leave, as on SIGTERM, and take everything with them. */
  void leave() throws InterruptedException {
    workers.forEach(worker -> worker.signal("TERM"));
    for (WorkerProcess worker : workers) {
      assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isIn(0, 143);
    }
    LedgerView ledger = cluster.ledger();
    assertThat(ledger.shares()).isEmpty();
    assertThat(ledger.counter().free()).isZero();
    assertNobodyWaits(ledger);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(marked.processes()).isEmpty());
    assertThat(cluster.messages()).isZero();
    assertThat(cluster.hpcMessages()).isZero();
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
