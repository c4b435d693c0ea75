package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that has less time to leave than its drain timeout, which is 20 s here. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WorkerDrainWithinTest {
  private static final Duration SOON = Duration.ofMillis(200);

  /** Shorter than the drain timeout. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path temp;
  private WorkerBed bed;
  private WorkerService worker;

  @BeforeEach
  void start() throws Exception {
    bed = new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
    bed.sendWork(List.of(new Work.Sleep(600_000)), 0);
    worker = bed.worker();
    await().until(() -> worker.stats().busy() == 1);
  }

  @Test
  void what_runs_is_killed_by_then_and_runs_elsewhere() throws Exception {
    try (WorkerBed closed = bed) {
      worker.drainWithin(SOON);

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.failed()).isFalse();
      assertThat(closed.reliable.requests().depth().waiting()).isEqualTo(1);
    }
  }

  @Test
  void receive_that_is_aborted_takes_nothing_of_what_the_worker_puts_back() throws Exception {
    try (WorkerBed closed = bed) {
      worker.kill();
      worker.awaitEnd();
      Cluster cluster = UnnoticedAborts.in(closed.cloud.cluster(WorkerBed.QUEUE));
      WorkerService leaving = closed.worker(cluster, null);
      await().until(() -> leaving.stats().busy() == 1);

      leaving.drainWithin(SOON);

      assertThat(leaving.awaitEnd(LIMIT)).isTrue();
      assertThat(closed.reliable.requests().depth().waiting()).isEqualTo(1);
    }
  }

  @Test
  void worker_that_drains_already_hurries() throws Exception {
    try (WorkerBed closed = bed) {
      worker.drain();
      worker.drainWithin(SOON);

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(closed.reliable.requests().depth().waiting()).isEqualTo(1);
    }
  }

  @Test
  void time_that_was_set_is_not_extended_by_a_later_drain() throws Exception {
    try (WorkerBed closed = bed) {
      worker.drainWithin(SOON);
      worker.drainWithin(Duration.ofDays(1_000));
      worker.drain();

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(closed.reliable.requests().depth().waiting()).isEqualTo(1);
    }
  }
}
