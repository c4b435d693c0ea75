package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.Faults;
import io.cloudkon.core.model.Consistency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Provisioners and workers that die or stand still at the worst moment. */
@Tag("slow")
class ProvisionerKillsIT {
  private static final int KILLED = 137;
  private static final int MAX = 3;

  /** The provisioner's lease, and the margin of whoever waits for its end. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();
  private final AtomicInteger most = new AtomicInteger();

  private ProvisionerProcess provisioner(Map<String, String> environment) {
    String all = Integer.toString(MAX);
    return ProvisionerProcess.start(
        cluster, folder, environment, "--min", all, "--max", all, "--worker-slots", "2");
  }

  /** Live worker processes, at most so many at any look. */
  private int living() {
    int living = ProvisionerProcess.workers(folder).size();
    most.accumulateAndGet(living, Math::max);
    return living;
  }

  private void awaitFleet() {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> living() == MAX && registered() == MAX);
  }

  private long registered() {
    long now = System.currentTimeMillis();
    return cluster.ports().workers().list().stream()
        .filter(worker -> worker.livesAt(now) && !worker.role().equals("draining"))
        .count();
  }

  /** Of the calls that a decision makes, the launcher's is none that goes to AWS. */
  private enum Step {
    /** It has decided; nobody knows. */
    BEFORE_INTENT("before:dynamodb.TransactWriteItems:decision/"),
    /** The decision is written; the launcher was not called. */
    AFTER_INTENT("after:dynamodb.TransactWriteItems:decision/"),
    /** The launcher has answered; nobody knows what. */
    AFTER_CALL("before:dynamodb.UpdateItem:decision/"),
    /** All of it is written. */
    AFTER_RECORD("after:dynamodb.UpdateItem:decision/");

    private final String call;

    Step(String call) {
      this.call = call;
    }
  }

  @ParameterizedTest
  @EnumSource
  void provisioner_killed_at_a_step_is_followed_by_one_that_goes_on(Step step) throws Exception {
    try (ProvisionerProcess first = provisioner(Map.of(Faults.VARIABLE, "halt=" + step.call))) {
      assertThat(first.awaitExit(LIMIT)).as(first.stderr()).isEqualTo(KILLED);
      try (ProvisionerProcess next = provisioner(Map.of())) {
        awaitFleet();

        assertThat(next.alive()).isTrue();
      }
    }
    assertThat(most.get()).isLessThanOrEqualTo(MAX);
    assertThat(ProvisionerProcess.greetings(folder))
        .isLessThanOrEqualTo(ProvisionerProcess.started(folder).size());
  }

  @Test
  void holder_that_was_frozen_finds_that_another_decides() throws Exception {
    try (ProvisionerProcess first = provisioner(Map.of())) {
      awaitFleet();
      try (ProvisionerProcess second = provisioner(Map.of())) {
        await().atMost(LIMIT).until(() -> second.stderr().contains("waiting for it"));
        first.signal("STOP");
        await().atMost(LIMIT).until(() -> second.stderr().contains("has the lease now"));
        ProvisionerProcess.workers(folder).getFirst().destroyForcibly();
        await()
            .pollDelay(LEASE.multipliedBy(3))
            .atMost(LEASE.multipliedBy(4))
            .until(() -> living() <= MAX);
        first.signal("CONT");

        awaitFleet();
        await().atMost(LIMIT).until(() -> first.stderr().contains("waiting for it"));
        assertThat(ProvisionerProcess.explain(cluster, folder)).contains("handover: from ");
        assertThat(most.get()).isLessThanOrEqualTo(MAX);
        assertThat(ProvisionerProcess.started(folder)).hasSize(MAX + 1);
      }
    }
  }

  @Test
  void worker_killed_in_a_run_is_replaced_and_nothing_is_lost() throws Exception {
    int tasks = 400;
    try (ProvisionerProcess provisioner = provisioner(Map.of());
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                Collections.nCopies(tasks, "sleep 500"),
                Map.of())) {
      client.awaitFinished(20, LIMIT);
      List<ProcessHandle> before = ProvisionerProcess.workers(folder);
      before.getFirst().destroyForcibly();

      await().atMost(LIMIT).until(() -> ProvisionerProcess.started(folder).size() > before.size());
      assertThat(client.awaitExit(Duration.ofMinutes(3))).as(client.said()).isZero();
      assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) tasks));
      assertThat(provisioner.alive()).isTrue();
    }
  }

  @Test
  void workers_of_a_killed_provisioner_drain_and_end() {
    try (ProvisionerProcess provisioner = provisioner(Map.of())) {
      awaitFleet();

      provisioner.kill();

      await().atMost(Duration.ofSeconds(20)).until(() -> living() == 0);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> cluster.ports().workers().list().isEmpty());
    }
  }
}
