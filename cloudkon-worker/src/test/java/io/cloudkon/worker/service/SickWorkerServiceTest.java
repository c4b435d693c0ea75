package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.testing.Refusing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that can start no task, through no fault of the tasks. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class SickWorkerServiceTest {
  private static final int TASKS = 5_000;
  private static final Work TRUE = new Work.Exec(List.of("true"), null, Map.of(), new byte[0]);

  @TempDir Path temp;

  private WorkerBed bed(Consistency consistency) throws IOException {
    return new WorkerBed(Misbehaviour.none(), consistency, WorkerBed.SHORT, temp);
  }

  /** A temporary file system in which nothing can be made, whoever tries it. */
  private Path unusable() throws IOException {
    return Files.writeString(temp.resolve("full"), "");
  }

  private static void awaitSick(WorkerBed bed, WorkerService worker, String reason) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() ->
            bed.reliable.workers().list().stream()
                .filter(entry -> entry.role().equals(WorkerEntry.SICK))
                .anyMatch(entry -> entry.sickness().startsWith(reason)));
    assertThat(worker.stats().tasks()).isZero();
  }

  private static void sendAll(WorkerBed bed, Work work) {
    for (int sent = 0; sent < TASKS; sent += 50) {
      bed.sendWork(Collections.nCopies(50, work), 0);
    }
  }

  private static void assertNoneFailed(WorkerBed bed, WorkerService sick) {
    Map<Integer, TaskResult> results = bed.awaitResults(300);
    assertThat(results).hasSize(TASKS);
    assertThat(results.values()).allMatch(result -> result.status() == TaskStatus.SUCCEEDED);
    assertThat(sick.stats().tasks()).isZero();
  }

  @Test
  void one_of_three_workers_without_a_temporary_file_system_fails_none_of_5000_commands()
      throws Exception {
    try (WorkerBed bed = bed(Consistency.EXACTLY_ONCE)) {
      sendAll(bed, TRUE);
      bed.temporary = unusable();
      WorkerService sick = bed.worker();
      awaitSick(bed, sick, "its temporary file system cannot be written: ");
      bed.temporary = temp;
      bed.worker();
      bed.worker();

      assertNoneFailed(bed, sick);
    }
  }

  @Test
  void one_of_three_workers_that_the_blob_store_refuses_fails_none_of_5000_tasks_and_hides_few()
      throws Exception {
    try (WorkerBed bed = bed(Consistency.EXACTLY_ONCE)) {
      byte[] work = BundleCodec.encodeWork(new Work.JavaCall("echo", List.of("large")));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(work);
      Content content = new Content(HexFormat.of().formatHex(digest), work.length, "");
      bed.reliable.blobs().put(BlobKeys.in(bed.run, content.sha256()), work);
      sendAll(bed, new Work.Stored(Work.Kind.JAVA, content));
      Refusing policy = new Refusing(bed.reliable).refuse("blobs.get", "s3:GetObject", "b/Q/*");
      WorkerService refused = bed.worker(policy.cluster(), null);
      await().until(() -> policy.refusals("blobs.get") > 0);
      bed.worker();
      bed.worker();

      // What it has received is hidden for 30 s.
      await().atMost(60, TimeUnit.SECONDS).until(() -> bed.resultsSoFar() >= TASKS / 2);
      assertThat(bed.results().values())
          .allMatch(result -> result.status() == TaskStatus.SUCCEEDED);
      assertThat(refused.stats().tasks()).isZero();
      assertThat(refused.sick()).isFalse();
    }
  }

  @Test
  void worker_that_recovers_takes_work_again_and_no_attempt_counted() throws Exception {
    for (Consistency consistency : Consistency.values()) {
      try (WorkerBed bed = bed(consistency)) {
        bed.sendWork(List.of(TRUE, TRUE), 0);
        bed.temporary = unusable();
        WorkerService worker = bed.worker();
        awaitSick(bed, worker, "its temporary file system");
        Files.delete(bed.temporary);
        Files.createDirectory(bed.temporary);

        assertThat(bed.awaitResults().values())
            .allMatch(result -> result.status() == TaskStatus.SUCCEEDED);

        assertThat(worker.sick()).isFalse();
        if (consistency.claims()) {
          bed.awaitClaimsDone();
          assertThat(bed.claims().values()).allMatch(claim -> claim.countedAttempts() == 1);
        }
      } finally {
        Files.deleteIfExists(temp.resolve("full"));
      }
    }
  }

  @Test
  void worker_that_stays_sick_ends_and_five_of_them_end_a_bundle() throws Exception {
    try (WorkerBed bed = bed(Consistency.EXACTLY_ONCE)) {
      bed.temporary = unusable();
      bed.sickTimeout = Duration.ofMillis(200);
      bed.sendWork(List.of(TRUE), 0);
      for (int i = 0; i < 5; i++) {
        WorkerService worker = bed.worker();
        worker.awaitEnd();
        assertThat(worker.sick()).isTrue();
        assertThat(worker.failed()).isFalse();
      }

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
      assertThat(result.error())
          .startsWith("5 workers could not start it, and it is not tried again")
          .contains("its temporary file system cannot be written");
      bed.awaitClaimsDone();
    }
  }

  @Test
  void task_that_ignores_its_end_on_a_sick_worker_is_not_given_back_while_it_runs()
      throws Exception {
    try (WorkerBed bed = bed(Consistency.EXACTLY_ONCE)) {
      bed.temporary = unusable();
      bed.sickTimeout = Duration.ofMillis(200);
      bed.sendWork(List.of(new Work.Sleep(5_000)), 0);
      bed.send(1, "deaf");
      WorkerService worker = bed.worker();
      await().until(() -> worker.stats().busy() == 2 && bed.starts(1) == 1);
      bed.sendWork(List.of(TRUE), 0);

      assertThat(worker.awaitEnd(Duration.ofSeconds(60))).isTrue();

      Claim ofDeaf = bed.claims().get(bed.claimId(1));
      assertThat(ofDeaf.state()).isEqualTo(ClaimState.LEASED);
      assertThat(ofDeaf.releases()).isZero();
      assertThat(bed.starts(1)).isEqualTo(1);

      Witness.release(bed.name(1));
      bed.temporary = temp;
      bed.worker();
      assertThat(bed.awaitResults().get(1).status()).isEqualTo(TaskStatus.SUCCEEDED);
      bed.awaitClaimsDone();
    }
  }

  @Test
  void task_that_no_worker_could_start_fails_by_itself_and_makes_nobody_sick() throws Exception {
    try (WorkerBed bed = bed(Consistency.EXACTLY_ONCE)) {
      String tooLong = "x".repeat(200_000);
      bed.sendWork(
          List.of(new Work.Exec(List.of("echo", tooLong), null, Map.of(), new byte[0]), TRUE), 0);
      WorkerService worker = bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.get(0).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(results.get(0).exitCode()).isEqualTo(126);
      assertThat(results.get(1).status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(worker.stats().sickness()).isEmpty();
    }
  }
}
