package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.testing.FastTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs larger than a fleet that a provisioner has yet to launch. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class GrowingFleetTest {
  private final GangBed bed = new GangBed(new FastTime(5), LeaseSettings.DEFAULT);

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  private void provisioner(WorkerTakes takes) {
    assertThat(
            bed.cluster
                .decisions()
                .take(Provisioners.of(3, 2, Long.MAX_VALUE, takes), Optional.empty()))
        .isTrue();
  }

  @Test
  void job_that_fits_the_largest_fleet_waits_for_it_and_a_larger_one_fails() {
    provisioner(WorkerTakes.ALL);
    bed.worker("a", 2);
    String fits = bed.send(6, Work.Noop.INSTANCE);
    await()
        .until(() ->
            bed.cluster.hpc().ledger().view().waiting().stream()
                .anyMatch(waiting -> waiting.job().equals(fits)));

    TaskResult failed = bed.result(bed.send(8, Work.Noop.INSTANCE));

    assertThat(failed.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(failed.error())
        .startsWith("it has 8 ranks, but the fleet can have at most 6 slots: 3 workers of 2;");
    assertThat(bed.results).as("that waited for longer").doesNotContainKey(fits);
    bed.worker("b", 2);
    bed.worker("c", 2);
    assertThat(bed.result(fits).status()).isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void fleet_that_takes_no_jobs_does_not_count() {
    provisioner(new WorkerTakes(WorkerTakes.ALL.kinds(), true, false));
    bed.worker("a", 2);

    TaskResult failed = bed.result(bed.send(3, Work.Noop.INSTANCE));

    assertThat(failed.error()).contains("the live workers have 2 slots in total");
  }
}
