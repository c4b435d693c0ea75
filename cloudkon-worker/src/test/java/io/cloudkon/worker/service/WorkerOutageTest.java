package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.claim.Claim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that reaches no table for longer than its lease lasts, and lives. */
class WorkerOutageTest {
  @TempDir Path temp;

  @Test
  void outage_is_no_death() throws Exception {
    Misbehaviour outage =
        Misbehaviour.none()
            .withOutage(Duration.ofSeconds(2), Duration.ofSeconds(6), Operation.dynamodb());
    try (WorkerBed bed = new WorkerBed(outage, Consistency.EXACTLY_ONCE, WorkerBed.SHORT, temp)) {
      bed.sendWork(List.of(new Work.Sleep(4_500)), 0);
      bed.worker();

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.SUCCEEDED);
      bed.awaitClaimsDone();
      Claim claim = bed.claims().values().iterator().next();
      assertThat(claim.attempt()).isGreaterThan(1);
      assertThat(claim.countedAttempts()).isEqualTo(1);
    }
  }
}
