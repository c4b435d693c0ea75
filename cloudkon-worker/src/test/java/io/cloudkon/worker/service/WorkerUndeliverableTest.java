package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An open run whose response queue is gone, in a cluster without a bucket. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerUndeliverableTest {
  /** More than a worker of four slots takes in hand. */
  private static final int MANY = 520;

  @TempDir Path temp;

  private WorkerBed abandoned(Consistency mode) throws Exception {
    WorkerBed bed = new WorkerBed(Misbehaviour.none(), mode, LeaseSettings.DEFAULT, temp);
    bed.replyTimeout = Duration.ofMillis(500);
    bed.reliable.responses().remove(bed.responses);
    return bed;
  }

  @Test
  void other_runs_go_on_however_many_bundles_it_has() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.EXACTLY_ONCE)) {
      for (int i = 0; i < MANY; i++) {
        bed.send(1, "fine");
      }
      WorkerService worker = bed.worker(NoBlobs.in(bed.reliable), null);
      await().atMost(60, TimeUnit.SECONDS).until(() -> worker.stats().busy() == 0 && hidden(bed));

      Bundles.open(bed.reliable, "other");
      bed.reliable.responses().create(Bundles.queue("other"));
      bed.sendMessage(BundleMessages.of(Bundles.bundle("other", 0)));

      String other = Bundles.bundle("other", 0).header().bundle();
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> {
            Claim claim = bed.reliable.claims().read(List.of(other)).get(other);
            return claim != null && claim.state() == ClaimState.DONE;
          });
      assertThat(bed.claims().values())
          .isNotEmpty()
          .allSatisfy(claim -> {
            assertThat(claim.state()).isEqualTo(ClaimState.RELEASED);
            assertThat(claim.countedAttempts()).isZero();
            assertThat(claim.done()).isEqualTo(Positions.none());
          });
    }
  }

  private static boolean hidden(WorkerBed bed) {
    return bed.reliable.requests().depth().waiting() == 0
        && bed.claims().values().stream().allMatch(c -> c.state() == ClaimState.RELEASED);
  }

  @Test
  void bundle_that_comes_once_that_is_known_is_not_begun() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.EXACTLY_ONCE)) {
      bed.send(1, "fine");
      bed.worker(NoBlobs.in(bed.reliable), null);
      await().atMost(30, TimeUnit.SECONDS).until(() -> !bed.claims().isEmpty() && hidden(bed));

      bed.send(1, "fine");

      await().until(() -> bed.reliable.requests().depth().inFlight() == 2);
      assertThat(bed.attempts(1)).isZero();
      assertThat(bed.starts(1)).isZero();
      assertThat(bed.starts(0)).isEqualTo(1);
    }
  }

  @Test
  void at_most_once_leaves_what_ran_to_a_successor() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.AT_MOST_ONCE)) {
      bed.send(3, "fine");
      WorkerService worker = bed.worker(NoBlobs.in(bed.reliable), null);
      await().until(() -> bed.starts(2) == 1);
      await().atMost(30, TimeUnit.SECONDS).until(() -> worker.stats().bundlesInHand() == 0);

      Claim claim = bed.claims().values().iterator().next();
      assertThat(claim.state()).isEqualTo(ClaimState.LEASED);
      assertThat(claim.started()).isEqualTo(Positions.range(0, 3));
      assertThat(claim.done()).isEqualTo(Positions.none());
    }
  }
}
