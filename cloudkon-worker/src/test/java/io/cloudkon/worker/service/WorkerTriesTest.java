package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that are tried again, and bundles that nobody tries again. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerTriesTest {
  @TempDir Path temp;

  @Test
  void task_that_fails_is_tried_again_and_tells_how_often() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.retries = 2;
      bed.send(2, "fails twice");
      bed.send(1, "late twice", 50);
      bed.send(1, "error");
      bed.send(1, "fine");
      WorkerService worker = bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      for (int task : new int[] {0, 1, 2}) {
        assertThat(results.get(task).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(results.get(task).tries()).isEqualTo(3);
        assertThat(bed.starts(task)).isEqualTo(3);
      }
      assertThat(results.get(3).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(results.get(3).tries()).isEqualTo(3);
      assertThat(results.get(4).tries()).isEqualTo(1);
      bed.awaitClaimsDone();
      assertThat(worker.stats().tasks()).isEqualTo(5);
    }
  }

  @Test
  void task_without_retries_is_tried_once() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.send(1, "fails twice");
      bed.worker();

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(bed.starts(0)).isEqualTo(1);
    }
  }

  @Test
  void task_that_cannot_be_stopped_is_not_tried_again_beside_itself() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.retries = 2;
      bed.send(1, "deaf", 50);
      WorkerService stuck = bed.worker();
      bed.worker();

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.TIMED_OUT);
      assertThat(result.tries()).isEqualTo(1);
      bed.awaitClaimsDone();
      assertThat(bed.starts(0)).isEqualTo(1);
      Witness.release(bed.name(0));
      assertThat(stuck.failed()).isFalse();
    }
  }

  @Test
  void task_whose_workers_died_five_times_fails_alone_and_is_kept_with_the_reason()
      throws Exception {
    try (WorkerBed bed = bed()) {
      bed.send(10, "fine");
      String bundle = BundleIds.of(bed.run, "e1", 0);
      for (int attempt = 1; attempt <= 5; attempt++) {
        dies(bed, bundle, attempt);
      }
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.get(7).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(results.get(7).error()).contains("died", "5 times");
      assertThat(bed.starts(7)).isZero();
      results.remove(7);
      assertThat(results.values())
          .hasSize(9)
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED));
      await().until(() -> bed.reliable.dead().depth().waiting() == 1);
      ReceivedMessage letter =
          bed.reliable.dead().receive(1, Duration.ZERO, Duration.ofSeconds(30)).getFirst();
      assertThat(letter.attributes().get(OutgoingMessage.REASON)).contains("died");
      assertThat(letter.attributes().get(OutgoingMessage.BUNDLE)).isEqualTo(bundle);
    }
  }

  /** A worker that starts the eighth task, and is never heard of again. */
  private static void dies(WorkerBed bed, String bundle, int attempt) {
    long longAgo = bed.time.serviceMillis() - 60_000;
    ClaimAnswer answer =
        bed.reliable
            .claims()
            .acquire(
                new Acquisition(
                    bundle,
                    Acquisition.Mode.TAKE_OVER,
                    "dead-" + attempt,
                    "nonce-" + attempt,
                    longAgo,
                    longAgo + 1,
                    0,
                    Positions.of(7),
                    longAgo));
    assertThat(answer).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private WorkerBed bed() throws Exception {
    return new WorkerBed(
        Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }
}
