package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A job of four ranks on a cluster of its own, one of whose workers is struck as it comes to a
 * step; and what has to be so in the end.
 */
final class HpcStepRun implements AutoCloseable {
  private static final int RANKS = 4;

  /** From a blow until the worker's lease is over for everybody. */
  private static final Duration OVER =
      LoggedWorkers.LEASE.plus(LoggedWorkers.MARGIN).plus(LoggedWorkers.MARGIN);

  /** A frozen worker goes on by then, whether its job began anew or not. */
  private static final Duration THAW = OVER.plusSeconds(6);

  private static final Duration LOOK = Duration.ofMillis(1);

  /** For so long the next attempt's ranks run before a frozen worker goes on, and after it. */
  private static final Duration BESIDE = Duration.ofSeconds(2);

  private static final Duration SOMETIMES = Duration.ofMillis(50);
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final HpcStep step;
  private final Blow blow;
  private final Consistency mode;
  private final Path folder;
  private final RankTicks ticks;
  private final Gate gate;

  /** As soon as this file is there, ranks may end: what runs too long is seen to do so. */
  private final Path enough;

  private final TestCluster cluster;
  private final LoggedWorkers workers;
  private String struckAt = "";
  private long struck;
  private String ended = "not ended";
  private Duration endedAfter = Duration.ZERO;

  HpcStepRun(HpcStep step, Blow blow, Consistency mode, Path folder) {
    this.step = step;
    this.blow = blow;
    this.mode = mode;
    this.folder = folder;
    this.ticks = new RankTicks(folder);
    this.gate = new Gate(folder);
    this.enough = folder.resolve("enough");
    this.cluster = new TestCluster();
    this.workers = new LoggedWorkers(cluster, folder);
  }

  /** All of it. */
  void run() throws IOException, InterruptedException {
    workers.awaitReady();
    boolean again = mode == Consistency.EXACTLY_ONCE && step.ranksAreToRun();
    if (!again) {
      Files.createFile(enough);
    }
    try (@Nullable ClientProcess tasks = step.role().tooFew() ? occupySlots() : null;
        ClientProcess client = client("job", List.of(ticks.exec(1, RANKS, enough)), mode)) {
      WorkerProcess victim = strike();
      int starts = workers.starts();
      if (tasks != null) {
        gate.open();
      }
      switch (blow) {
        case KILL -> victim.kill();
        case FREEZE -> thaw(victim, starts);
      }
      if (again) {
        awaitNextAttempt(starts);
        Files.createFile(enough);
      }
      assertOneResult(client);
      if (tasks != null) {
        assertThat(tasks.awaitExit(LIMIT)).as(tasks.stderr()).isZero();
      }
    }
    assertNoTwoAttemptsAtOnce();
    assertThat(workers.living()).hasSize(LoggedWorkers.WORKERS - (blow == Blow.KILL ? 1 : 0));
    workers.awaitLedgerOfLiving();
    workers.leave();
  }

  /** How it ended, how many ranks ran for it in all, and the victim's last line before the blow. */
  String summary() {
    return "%s %d s after the blow, %d processes of ranks; struck after: %s"
        .formatted(ended, endedAfter.toSeconds(), ticks.attempts(), struckAt);
  }

  /** What the workers said. */
  String said() {
    return workers.said();
  }

  // ---- in order

  /** Half of all slots have tasks, of which the ledger knows nothing. */
  private ClientProcess occupySlots() throws IOException {
    int half = LoggedWorkers.WORKERS * LoggedWorkers.SLOTS / 2;
    List<String> lines = Collections.nCopies(half, gate.task());
    ClientProcess client = client("tasks", lines, Consistency.EXACTLY_ONCE, "--bundle", "1");
    await().atMost(LIMIT).until(() -> gate.started().size() >= half);
    return client;
  }

  private ClientProcess client(
      String name, List<String> lines, Consistency consistency, String... options)
      throws IOException {
    Path place = Files.createDirectory(folder.resolve(name));
    return ClientProcess.start(cluster, place, consistency, lines, Map.of(), options);
  }

  private WorkerProcess strike() {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(LOOK)
        .atMost(LIMIT)
        .until(this::strikeWhoeverIsThere, victim -> victim != null);
  }

  private @Nullable WorkerProcess strikeWhoeverIsThere() {
    for (GangLog log : workers.logs()) {
      if (log.reaches(step)) {
        blow.strike(log.worker());
        struck = System.nanoTime();
        struckAt = log.last();
        return log.worker();
      }
    }
    return null;
  }

  /** It goes on past its lease, and while others run its job, if they do. */
  private void thaw(WorkerProcess victim, int starts) {
    awaitThat(() -> sinceBlow().compareTo(workers.starts() > starts ? OVER : THAW) > 0);
    awaitSomeTicks();
    victim.signal("CONT");
  }

  /** Until another attempt has run for a while beside whatever should have ended. */
  private void awaitNextAttempt(int starts) {
    awaitThat(() -> workers.starts() > starts);
    awaitSomeTicks();
  }

  private static void awaitSomeTicks() {
    long begun = System.nanoTime();
    awaitThat(() -> System.nanoTime() - begun > BESIDE.toNanos());
  }

  private static void awaitThat(BooleanSupplier condition) {
    await().pollInterval(SOMETIMES).atMost(LIMIT).until(condition::getAsBoolean);
  }

  private Duration sinceBlow() {
    return Duration.ofNanos(System.nanoTime() - struck);
  }

  private void assertOneResult(ClientProcess client) throws InterruptedException {
    int code = client.awaitExit(LIMIT);
    endedAfter = sinceBlow();
    Map<String, Long> counts = client.results().counts();
    ended = counts.toString();
    switch (mode) {
      case EXACTLY_ONCE, AT_LEAST_ONCE -> {
        assertThat(counts).as(client.said()).isEqualTo(Map.of("SUCCEEDED", 1L));
        assertThat(code).as(client.said()).isZero();
      }
      case AT_MOST_ONCE -> assertThat(counts).isIn(Map.of("SUCCEEDED", 1L), Map.of("LOST", 1L));
    }
  }

  private void assertNoTwoAttemptsAtOnce() {
    assertThat(ticks.overlapsOfRanks()).isEmpty();
    assertThat(ticks.overlapsOfJobs()).isEmpty();
    if (mode == Consistency.AT_MOST_ONCE) {
      assertThat(ticks.mostTries()).isLessThanOrEqualTo(1);
    }
  }

  @Override
  public void close() {
    workers.close();
    cluster.close();
  }
}
