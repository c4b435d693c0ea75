package io.cloudkon.worker.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An open run whose response queue is gone, in a cluster without a bucket. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerUndeliverableTest {
  /** More than a worker of four slots takes in hand. */
  private static final int MANY = 520;

  /** More jobs than it takes in hand of a run whose queue is gone. */
  private static final int MANY_JOBS = 120;

  private static final int CROWD = 54;

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
      // those that were not begun come again and again, as only thirty are hidden every five
      // seconds
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> worker.stats().busy() == 0 && !bed.claims().isEmpty() && released(bed));

      Bundles.open(bed.reliable, "other");
      bed.reliable.responses().create(Bundles.queue("other"));
      bed.sendMessage(BundleMessages.of(Bundles.bundle("other", 0)));

      String other = Bundles.bundle("other", 0).header().bundle();
      awaitDone(bed, other);
      assertThat(bed.claims().values())
          .isNotEmpty()
          .allSatisfy(claim -> {
            assertThat(claim.state()).isEqualTo(ClaimState.RELEASED);
            assertThat(claim.countedAttempts()).isZero();
            assertThat(claim.done()).isEqualTo(Positions.none());
          });
    }
  }

  private static void awaitDone(WorkerBed bed, String bundle) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> {
          Claim claim = bed.reliable.claims().read(List.of(bundle)).get(bundle);
          return claim != null && claim.state() == ClaimState.DONE;
        });
  }

  private static boolean hidden(WorkerBed bed) {
    return bed.reliable.requests().depth().waiting() == 0 && released(bed);
  }

  private static boolean released(WorkerBed bed) {
    return bed.claims().values().stream().allMatch(c -> c.state() == ClaimState.RELEASED);
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
  @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells what a process has mapped")
  void large_outputs_of_a_bundle_that_is_given_back_leave_the_disk() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.EXACTLY_ONCE)) {
      bed.temporary = temp;
      bed.captureBytes = 1 << 20;
      List<String> argv = List.of("/bin/sh", "-c", "head -c 200000 /dev/zero");
      bed.sendWork(List.of(new Work.Exec(argv, null, Map.of(), new byte[0])), 0);
      WorkerService worker = bed.worker(NoBlobs.in(bed.reliable), null);
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() -> !bed.claims().isEmpty() && hidden(bed) && worker.stats().busy() == 0);

      await().until(() -> worker.stats().bundlesInHand() == 0);
      assertThat(Files.readString(Path.of("/proc/self/maps"), ISO_8859_1))
          .doesNotContain(temp.toString());
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

  @Test
  void job_that_comes_once_that_is_known_is_not_begun() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.EXACTLY_ONCE)) {
      bed.hpc = true;
      bed.sendJob(2, "fine");
      bed.worker(NoBlobs.in(bed.reliable), null);
      RequestQueue jobs = bed.reliable.hpc().jobs();
      await()
          .atMost(30, TimeUnit.SECONDS)
          .until(() ->
              bed.claims().values().stream()
                  .anyMatch(claim -> claim.state() == ClaimState.RELEASED));
      assertThat(jobs.depth().inFlight()).isEqualTo(1);

      bed.sendJob(2, "fine");

      // Not before its message is hidden: a job that were begun would have its claim by then.
      await().until(() -> jobs.depth().inFlight() == 2);
      await().during(Duration.ofSeconds(1)).until(() -> bed.attempts(1) == 0);
      assertThat(bed.starts(1)).isZero();
      assertThat(bed.starts(0)).isEqualTo(2);
    }
  }

  @Test
  void jobs_of_other_runs_go_on_however_many_wait_for_their_results_to_leave() throws Exception {
    try (WorkerBed bed = abandoned(Consistency.EXACTLY_ONCE)) {
      bed.replyTimeout = Duration.ofMinutes(10);
      bed.hpc = true;
      for (int i = 0; i < MANY_JOBS; i++) {
        bed.sendJob(1, "fine");
      }
      WorkerService worker = bed.worker(bed.reliable, null);

      // Some of the others are put back for 10 s.
      RequestQueue jobs = bed.reliable.hpc().jobs();
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(60, TimeUnit.SECONDS)
          .until(() ->
              jobs.depth().inFlight() > worker.stats().bundlesInHand()
                  && worker.stats().busy() == 0
                  && worker.stats().bundlesInHand() > CROWD);
      assertThat(worker.stats().bundlesInHand()).isLessThanOrEqualTo(CROWD + Limits.BATCH);

      Bundles.open(bed.reliable, "other");
      bed.reliable.responses().create(Bundles.queue("other"));
      Bundle other = Bundles.job("other", 0, 2);
      jobs.send(List.of(BundleMessages.of(other)));
      awaitDone(bed, other.header().bundle());
      // So that the worker may end soon.
      bed.reliable.responses().create(bed.responses);
    }
  }
}
