package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that waits for HPC jobs, and is to end. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerDrainFromJobsTest {
  /** A receive that nobody ends takes 20 s. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path temp;

  @Test
  void drain_does_not_wait_for_the_receive_and_takes_no_job() throws Exception {
    try (WorkerBed bed =
        new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp)) {
      bed.hpc = true;
      WorkerService worker = bed.worker(bed.reliable, null);
      await().until(() -> bed.reliable.hpc().ledger().counter().free() == 4);

      worker.drain();
      bed.sendJob(2, "fine");

      assertThat(worker.awaitEnd(LIMIT)).isTrue();
      assertThat(worker.failed()).isFalse();
      await().until(() -> bed.reliable.hpc().jobs().depth().waiting() == 1);
    }
  }
}
