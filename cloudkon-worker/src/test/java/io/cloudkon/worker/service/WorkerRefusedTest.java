package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.testing.Refusing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that a policy does not allow everything. */
@Timeout(90)
class WorkerRefusedTest {
  @TempDir Path temp;

  private WorkerBed bed() throws Exception {
    return new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, WorkerBed.SHORT, temp);
  }

  @Test
  void worker_that_may_not_claim_gives_back_and_goes_on_when_it_may() throws Exception {
    try (WorkerBed bed = bed()) {
      Refusing policy =
          new Refusing(bed.reliable)
              .refuse("claims.acquire", "dynamodb:UpdateItem", "Q-claims")
              .refuse("claims.write", "dynamodb:UpdateItem", "Q-claims");
      WorkerService worker = bed.worker(policy.cluster(), null);
      bed.send(2, "fine");
      await().until(() -> worker.stats().sickness().isPresent());
      assertThat(worker.stats().sickness().orElseThrow().reason())
          .contains("dynamodb:UpdateItem on table 'Q-claims'");
      await().until(() -> worker.stats().bundlesInHand() == 0);
      assertThat(bed.starts(0)).isZero();

      policy.allow("claims.acquire");
      policy.allow("claims.write");

      assertThat(bed.awaitResults().values())
          .extracting(TaskResult::status)
          .containsOnly(TaskStatus.SUCCEEDED);
    }
  }

  @Test
  void worker_that_may_not_write_claims_any_more_holds_nothing_past_its_leases() throws Exception {
    try (WorkerBed bed = bed()) {
      Refusing policy = new Refusing(bed.reliable);
      WorkerService worker = bed.worker(policy.cluster(), null);
      policy.refuse("claims.write", "dynamodb:UpdateItem", "Q-claims");
      bed.send(1, "fine");
      await().until(() -> worker.stats().sickness().isPresent());

      await().atMost(Duration.ofSeconds(30)).until(() -> worker.stats().bundlesInHand() == 0);
      policy.allow("claims.write");

      assertThat(bed.awaitResults()).hasSize(1);
    }
  }

  @Test
  void worker_without_the_bucket_gives_back_what_needs_it_and_runs_the_rest() throws Exception {
    runsWhatNeedsNoBucket(policy -> policy.refuse("blobs.get", "s3:GetObject", "b/Q/*"));
  }

  @Test
  void worker_that_misses_the_bucket_gives_back_what_needs_it_and_runs_the_rest() throws Exception {
    runsWhatNeedsNoBucket(
        policy -> policy.fail("blobs.get", MissingResourceException.bucket("b", "-s Q", null)));
  }

  private void runsWhatNeedsNoBucket(UnaryOperator<Refusing> refuse) throws Exception {
    try (WorkerBed bed = bed()) {
      Refusing policy = refuse.apply(new Refusing(bed.reliable));
      WorkerService worker = bed.worker(policy.cluster(), null);
      bed.sendWork(
          List.of(new Work.Stored(Work.Kind.JAVA, new Content("0".repeat(64), 10, ""))), 0);
      bed.send(1, "fine");

      await().until(() -> bed.starts(1) == 1);
      await().until(() -> worker.stats().bundlesInHand() == 0);
      assertThat(worker.stats().sickness()).isEmpty();
      assertThat(bed.resultsSoFar()).isEqualTo(1);
    }
  }

  @Test
  void fifth_worker_without_the_bucket_fails_the_task_with_the_action() throws Exception {
    try (WorkerBed bed = bed()) {
      Refusing policy = new Refusing(bed.reliable).refuse("blobs.get", "s3:GetObject", "b/Q/*");
      bed.sendWork(
          List.of(new Work.Stored(Work.Kind.JAVA, new Content("0".repeat(64), 10, ""))), 0);
      String claim = bed.claimId(0);
      for (int i = 0; i < 4; i++) {
        bed.reliable.claims().noteSick(claim, "another-" + i, bed.time.serviceMillis());
      }
      bed.worker(policy.cluster(), null);

      assertThat(bed.awaitResults().get(0))
          .satisfies(result -> {
            assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
            assertThat(result.error())
                .contains("5 workers")
                .contains("s3:GetObject on bucket 'b/Q/*'");
          });
    }
  }

  @Test
  void letter_that_may_not_be_sent_waits_with_its_bundle_while_the_worker_goes_on()
      throws Exception {
    try (WorkerBed bed = bed()) {
      Refusing policy =
          new Refusing(bed.reliable)
              .refuse("blobs.get", "s3:GetObject", "b/Q/*")
              .refuse("dead.send", "sqs:SendMessage", "Q-dead");
      bed.sendWork(
          List.of(new Work.Stored(Work.Kind.JAVA, new Content("0".repeat(64), 10, ""))), 0);
      for (int i = 0; i < 4; i++) {
        bed.reliable.claims().noteSick(bed.claimId(0), "another-" + i, bed.time.serviceMillis());
      }
      WorkerService worker = bed.worker(policy.cluster(), null);

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.FAILED);
      await().until(() -> worker.stats().bundlesInHand() == 0);
      policy.allow("dead.send");
      bed.send(1, "fine");

      await().until(() -> bed.starts(1) == 1);
      assertThat(worker.stats().sickness()).isEmpty();
      assertThat(policy.refusals("dead.send")).isEqualTo(1);
      assertThat(bed.reliable.dead().depth().waiting()).isZero();
    }
  }
}
