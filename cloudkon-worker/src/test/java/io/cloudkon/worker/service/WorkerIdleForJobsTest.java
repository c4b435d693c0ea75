package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are to end when they are idle, where HPC jobs wait for slots. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerIdleForJobsTest {
  private static final Duration LIMIT = Duration.ofMillis(300);
  private static final Duration MUCH_LONGER = Duration.ofSeconds(2);
  private static final long LEASE_END = 4_000_000_000_000L;

  @TempDir Path temp;

  private WorkerBed bed() throws Exception {
    WorkerBed bed =
        new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
    bed.hpc = true;
    return bed;
  }

  private static void staysFor(WorkerService worker, Duration time) {
    await().during(time).until(() -> !worker.awaitEnd(Duration.ZERO));
  }

  @Test
  void worker_ends_where_nothing_waits() throws Exception {
    try (WorkerBed bed = bed()) {
      WorkerService worker = bed.worker(bed.reliable, LIMIT);

      assertThat(worker.awaitEnd(Duration.ofSeconds(30))).isTrue();
      assertThat(worker.failed()).isFalse();
      assertThat(bed.reliable.hpc().ledger().counter().free()).isZero();
    }
  }

  @Test
  void worker_stays_while_a_job_waits_in_the_hands_of_another_one() throws Exception {
    try (WorkerBed bed = bed()) {
      CapacityLedger ledger = bed.reliable.hpc().ledger();
      ledger.put(new Waiting("run/e1/7", 8, 1, "other", LEASE_END));
      WorkerService worker = bed.worker(bed.reliable, LIMIT);

      staysFor(worker, MUCH_LONGER);

      ledger.removeWaiting("run/e1/7", "other");
      assertThat(worker.awaitEnd(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void worker_that_keeps_slots_for_a_job_stays() throws Exception {
    try (WorkerBed bed = bed()) {
      CapacityLedger ledger = bed.reliable.hpc().ledger();
      Share other = Share.ofWorker("other", 4, LEASE_END);
      assertThat(ledger.change(new LedgerChange.Join("t1", other))).isTrue();
      Reservation reservation = Reservation.of("run/e1/7", 8, "other", LEASE_END);
      assertThat(ledger.change(new LedgerChange.Reserve("t2", reservation))).isTrue();
      WorkerService worker = bed.worker(bed.reliable, LIMIT);
      await().until(() -> held(ledger).equals(Map.of("w0", 4)));

      staysFor(worker, MUCH_LONGER);

      assertThat(ledger.change(new LedgerChange.Unreserve("t3", reservation, false))).isTrue();
      assertThat(worker.awaitEnd(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void job_that_needs_an_idle_worker_and_a_busy_one_runs_once_that_one_is_free() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.send(1, "deaf");
      bed.worker(bed.reliable, null);
      await().until(() -> bed.starts(0) == 1);
      bed.sendJob(8, "fine");
      CapacityLedger ledger = bed.reliable.hpc().ledger();
      await().until(() -> ledger.view().waiting().size() == 1);
      WorkerService idle = bed.worker(bed.reliable, LIMIT);
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> held(ledger).equals(Map.of("w0", 3, "w1", 4)));

      staysFor(idle, MUCH_LONGER);
      Witness.release(bed.name(0));

      TaskResult job = bed.awaitResults().get(1);
      assertThat(job.status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(bed.starts(1)).isEqualTo(8);
      assertThat(idle.awaitEnd(Duration.ofSeconds(30))).isTrue();
    }
  }

  private static Map<String, Integer> held(CapacityLedger ledger) {
    Optional<Reservation> reservation = ledger.reservation();
    return reservation.map(Reservation::held).orElse(Map.of());
  }
}
