package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole workers on real threads over memory ports, where each task has a claim. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerTaskClaimsTest {
  @TempDir Path temp;

  private WorkerBed bed(Misbehaviour misbehaviour, Consistency mode) throws Exception {
    return bed(misbehaviour, mode, WorkerBed.SHORT);
  }

  /** Without faults no lease is to be lost, also where the machine stands still for a while. */
  private WorkerBed bed() throws Exception {
    return bed(
        Misbehaviour.none(), Consistency.AT_MOST_ONCE, new LeaseSettings(60_000, 20_000, 500));
  }

  private WorkerBed bed(Misbehaviour misbehaviour, Consistency mode, LeaseSettings lease)
      throws Exception {
    WorkerBed bed = new WorkerBed(misbehaviour, mode, lease, temp);
    bed.claim = ClaimScope.TASK;
    return bed;
  }

  @ParameterizedTest
  @CsvSource({"EXACTLY_ONCE,1", "EXACTLY_ONCE,2", "AT_MOST_ONCE,1", "AT_MOST_ONCE,2"})
  void workers_in_a_storm_of_faults_answer_for_every_task(Consistency mode, int seed)
      throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.storm(seed), mode)) {
      for (int bundle = 0; bundle < 12; bundle++) {
        bed.send(1 + bundle * 7 % 30, "fine");
      }
      bed.worker();
      bed.worker();

      for (TaskResult result : bed.awaitResults().values()) {
        int starts = bed.starts(result.ordinal());
        if (mode == Consistency.AT_MOST_ONCE) {
          assertThat(result.status()).isIn(TaskStatus.SUCCEEDED, TaskStatus.LOST);
          assertThat(starts).isLessThanOrEqualTo(1);
        } else {
          assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
          assertThat(starts).isPositive();
        }
      }
      bed.awaitClaimsDone();
    }
  }

  @Test
  void every_task_has_a_claim_of_its_own_and_the_message_is_gone_in_the_end() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.send(300, "fine");
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      bed.awaitClaimsDone();
      assertThat(results.values()).allMatch(r -> r.status() == TaskStatus.SUCCEEDED);
      assertThat(bed.claims()).hasSize(300);
      await()
          .until(() -> {
            var depth = bed.reliable.requests().depth();
            return depth.waiting() + depth.inFlight() == 0;
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,2", "7,3"})
  void claims_that_are_written_once_answer_for_every_task_in_a_storm_of_faults(int tasks, int seed)
      throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.storm(seed), Consistency.AT_MOST_ONCE)) {
      bed.claim = ClaimScope.ONCE;
      for (int bundle = 0; bundle < 30; bundle++) {
        bed.send(tasks, "fine");
      }
      bed.worker();
      bed.worker();

      for (TaskResult result : bed.awaitResults().values()) {
        assertThat(result.status()).isIn(TaskStatus.SUCCEEDED, TaskStatus.LOST);
        assertThat(bed.starts(result.ordinal())).isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void claim_that_is_written_once_is_left_as_it_was_and_the_message_is_gone() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.claim = ClaimScope.ONCE;
      for (int bundle = 0; bundle < 40; bundle++) {
        bed.send(1, "fine");
      }
      bed.worker();

      assertThat(bed.awaitResults().values()).allMatch(r -> r.status() == TaskStatus.SUCCEEDED);
      await()
          .until(() -> {
            var depth = bed.reliable.requests().depth();
            return depth.waiting() + depth.inFlight() == 0;
          });
      assertThat(bed.claims().values())
          .hasSize(40)
          .allMatch(claim -> claim.state() == ClaimState.LEASED && claim.seq() == 0);
    }
  }
}
