package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Killed workers, cancelled runs and resumed runs: what is left of them is counted. The runs come
 * one after the other, to the same workers, which are drained in the end.
 */
@EnabledOnOs(OS.LINUX) // the place where a process's environment can be read
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeftoversIT {
  private static final int WORKERS = 2;
  private static final int SLOTS = 2;
  private static final int ALL_SLOTS = WORKERS * SLOTS;
  private static final int SIGTERM_EXIT = 143;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Sooner than a lease that is waited for, and time for a JVM to start on a busy machine. */
  private static final Duration SOON = Duration.ofMinutes(1);

  private static final TestCluster CLUSTER = new TestCluster();
  private static final List<Member> MEMBERS = new ArrayList<>();

  @TempDir private static Path folder;
  private final List<GatedRun> runs = new ArrayList<>();

  /** A worker, what it started, and its folder for temporary files. */
  private record Member(WorkerProcess worker, Marked processes, Path temporary) {
    static Member start() {
      try {
        Path temporary = Files.createTempDirectory(folder, "tmp");
        Marked processes = new Marked("LEFTOVERS_IT", temporary.toString());
        Recipe recipe =
            new Recipe(CLUSTER, folder)
                .slots(SLOTS)
                .shortLease()
                .jvm("-Djava.io.tmpdir=" + temporary)
                .environment(processes.name(), processes.value());
        return new Member(recipe.start().awaitReady(), processes, temporary);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    void awaitNothingLeft() {
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> {
            assertThat(processes.processes()).isEmpty();
            assertThat(temporary).isEmptyDirectory();
          });
    }
  }

  @BeforeAll
  static void startWorkers() {
    for (int i = 0; i < WORKERS; i++) {
      MEMBERS.add(Member.start());
    }
  }

  @AfterAll
  static void close() {
    MEMBERS.forEach(member -> member.worker().close());
    CLUSTER.close();
  }

  private GatedRun run(String id) throws IOException {
    GatedRun run = new GatedRun(CLUSTER, folder, id);
    runs.add(run);
    return run;
  }

  /** So that a test that fails does not keep the workers from the next one. */
  @AfterEach
  void openGates() throws IOException {
    for (GatedRun run : runs) {
      run.open();
    }
  }

  private static void assertComplete(ClientProcess client) throws InterruptedException {
    assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
    assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) GatedRun.TASKS));
    assertThat(client.report().get("succeeded").asInt()).isEqualTo(GatedRun.TASKS);
  }

  /** Each task has one line, and those that nobody let pass the gate are cancelled. */
  private static void assertCancelledAtTheGate(ClientProcess client) {
    Results results = client.results();
    int succeeded = results.tasks("SUCCEEDED").size();
    assertThat(succeeded).isLessThanOrEqualTo(GatedRun.FREE);
    assertThat(results.tasks("CANCELLED")).hasSize(GatedRun.TASKS - succeeded);
    assertThat(results.byTask()).hasSize(GatedRun.TASKS);
  }

  @Test
  void run_with_a_killed_worker_leaves_nothing() throws Exception {
    GatedRun run = run("worker-killed");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);
      Member victim = MEMBERS.removeFirst();
      assertThat(victim.temporary()).isNotEmptyDirectory();
      assertThat(victim.processes().processes()).hasSizeGreaterThan(SLOTS);

      victim.worker().kill();

      victim.awaitNothingLeft();
      MEMBERS.add(Member.start());
      run.open();
      assertComplete(client);
    }
    run.assertNothingLeft(State.ENDED);
    assertThat(run.temporary()).isEmptyDirectory();
  }

  @Test
  void cancelled_run_is_settled_by_its_client_and_leaves_nothing() throws Exception {
    GatedRun run = run("cancelled");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);

      assertThat(run.cancel()).contains("run cancelled is cancelled; its client");

      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
      assertCancelledAtTheGate(client);
    }
    run.assertNothingLeft(State.CANCELLED);
    assertThat(run.temporary()).isEmptyDirectory();
  }

  @Test
  void cancelled_run_of_a_killed_client_leaves_nothing() throws Exception {
    GatedRun run = run("client-killed");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);
      client.kill();
    }

    assertThat(run.cancel("--discard"))
        .contains("run client-killed is cancelled; no client collects it");

    run.assertNothingLeft(State.CANCELLED);
    try (ClientProcess client = run.resume()) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
      assertCancelledAtTheGate(client);
    }
    run.assertNothingLeft(State.CANCELLED);
  }

  @Test
  void run_of_a_killed_client_that_is_resumed_leaves_nothing() throws Exception {
    GatedRun run = run("resumed");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);
      client.kill();
    }

    try (ClientProcess client = run.resume()) {
      run.open();
      assertComplete(client);
    }
    run.assertNothingLeft(State.ENDED);
  }

  @Test
  void detached_run_that_is_resumed_leaves_nothing() throws Exception {
    GatedRun run = run("detached");
    try (ClientProcess client = run.start("--detach")) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      assertThat(run.temporary()).isEmptyDirectory();
    }
    run.awaitMiddle(ALL_SLOTS);
    run.open();
    await().atMost(LIMIT).until(() -> CLUSTER.messages() == 0);

    try (ClientProcess client = run.resume()) {
      assertComplete(client);
    }
    run.assertNothingLeft(State.ENDED);
  }

  @Test
  void interrupted_run_that_is_resumed_leaves_nothing() throws Exception {
    GatedRun run = run("interrupted");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);
      client.signal("INT");

      assertThat(client.awaitExit(SOON)).isEqualTo(130);
      assertThat(client.stderr())
          .contains("cloudkon client -s %s --resume interrupted".formatted(CLUSTER.name()));
      assertThat(run.temporary()).isEmptyDirectory();
    }

    try (ClientProcess client = run.resume()) {
      run.open();
      assertComplete(client);
    }
    run.assertNothingLeft(State.ENDED);
  }

  /** The gate opens, so that results come while the run is being cleared up: of all, even. */
  @Test
  void run_that_is_interrupted_twice_leaves_nothing() throws Exception {
    GatedRun run = run("interrupted-twice");
    try (ClientProcess client = run.start()) {
      run.awaitMiddle(ALL_SLOTS);
      client.signal("INT");
      client.interruptAgain();
      await().atMost(SOON).until(() -> client.stderr().contains("cancelling the run"));
      run.open();

      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(130);
      Results results = client.results();
      assertThat(results.byTask()).hasSize(GatedRun.TASKS);
      assertThat(results.counts().keySet()).isSubsetOf("SUCCEEDED", "CANCELLED");
    }
    run.assertNothingLeft(State.CANCELLED);
    assertThat(run.temporary()).isEmptyDirectory();
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void drained_workers_leave_nothing() throws Exception {
    for (Member member : MEMBERS) {
      String id = member.worker().id();
      member.worker().signal("TERM");
      assertThat(member.worker().awaitExit(LIMIT))
          .as(member.worker().stderr())
          .isEqualTo(SIGTERM_EXIT);
      member.awaitNothingLeft();
      assertThat(CLUSTER.ports().workers().list()).noneMatch(entry -> entry.id().equals(id));
    }
    assertThat(CLUSTER.messages()).isZero();
    assertThat(CLUSTER.responseQueues()).isEmpty();
    assertThat(CLUSTER.ports().blobs().list("")).isEmpty();
  }
}
