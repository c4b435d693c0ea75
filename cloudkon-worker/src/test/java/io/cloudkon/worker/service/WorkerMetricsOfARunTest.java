package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.worker.metrics.WorkerMetrics;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker's metrics say while it works. */
class WorkerMetricsOfARunTest {
  private static final WorkerSettings FOUR_SLOTS =
      new WorkerSettings(
          "w0", 4, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);

  @TempDir Path temp;

  @Test
  void each_result_counts_once_each_bundle_and_claim_is_timed_and_nothing_is_left_in_hand()
      throws Exception {
    try (WorkerBed bed = bed();
        WorkerMetrics metrics = new WorkerMetrics(FOUR_SLOTS, bed.reliable, bed.time, List::of)) {
      bed.send(30, "fine");
      bed.sendWork(List.of(new Work.JavaCall("no such handler", List.of())), 0);
      bed.worker(metrics.cluster(), null, metrics.stats());

      assertThat(bed.awaitResults()).hasSize(31);
      bed.awaitClaimsDone();
      await().until(() -> metrics.stats().bundlesInHand() == 0);
      assertThat(metrics.scrape().lines())
          .contains(
              "cloudkon_tasks_total{status=\"succeeded\"} 30.0",
              "cloudkon_tasks_total{status=\"failed\"} 1.0",
              "cloudkon_queue_seconds_count 2",
              "cloudkon_claim_seconds_count 2",
              "cloudkon_busy_slots 0.0",
              "cloudkon_bundles_in_hand 0.0");
    }
  }

  @Test
  void running_task_shows_as_a_busy_slot_and_a_bundle_in_hand() throws Exception {
    try (WorkerBed bed = bed();
        WorkerMetrics metrics = new WorkerMetrics(FOUR_SLOTS, bed.reliable, bed.time, List::of)) {
      bed.sendWork(List.of(new Work.Sleep(600_000)), 0);
      bed.worker(metrics.cluster(), null, metrics.stats());

      await().until(() -> metrics.stats().busy() == 1);
      assertThat(metrics.scrape().lines())
          .contains("cloudkon_busy_slots 1.0", "cloudkon_bundles_in_hand 1.0");
    }
  }

  private WorkerBed bed() throws Exception {
    return new WorkerBed(
        Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }
}
