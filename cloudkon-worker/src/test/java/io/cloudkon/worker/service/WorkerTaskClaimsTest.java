package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
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
    WorkerBed bed = new WorkerBed(misbehaviour, mode, WorkerBed.SHORT, temp);
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
    try (WorkerBed bed = bed(Misbehaviour.none(), Consistency.AT_MOST_ONCE)) {
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
}
