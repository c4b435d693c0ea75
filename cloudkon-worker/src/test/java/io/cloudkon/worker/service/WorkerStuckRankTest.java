package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that ignore their interruption. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerStuckRankTest {
  @TempDir Path temp;

  @Test
  void job_whose_rank_cannot_be_stopped_is_not_tried_again_beside_it_and_its_worker_leaves()
      throws Exception {
    try (WorkerBed bed =
        new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp)) {
      bed.hpc = true;
      bed.retries = 2;
      bed.sendJob(1, "deaf", 50);
      WorkerService stuck = bed.worker();
      await().until(() -> bed.starts(0) == 1);
      WorkerService other = bed.worker();

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.TIMED_OUT);
      assertThat(result.tries()).isEqualTo(1);
      bed.awaitClaimsDone();
      assertThat(bed.starts(0)).isEqualTo(1);
      assertThat(stuck.awaitEnd(Duration.ofSeconds(30))).isTrue();
      assertThat(stuck.failed()).isFalse();
      assertThat(other.awaitEnd(Duration.ZERO)).isFalse();
      Witness.release(bed.name(0));
    }
  }
}
