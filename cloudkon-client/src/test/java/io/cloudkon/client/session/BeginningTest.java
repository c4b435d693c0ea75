package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs before their first send: what they ship is on its way. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BeginningTest {
  private static final int TASKS = 6;

  @TempDir Path temp;
  private final CountDownLatch uploading = new CountDownLatch(1);

  private SessionBed bed() throws Exception {
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, TASKS, temp);
  }

  private static SessionOptions ships(SessionOptions.Shipper shipper) {
    return new SessionOptions(shipper, true, () -> {}, line -> {}, millis -> {});
  }

  /** An upload that lasts until it is interrupted. */
  private List<Content> forEver(BlobStore blobs, String run) throws InterruptedException {
    blobs.put(BlobKeys.in(run, "part"), new byte[1]);
    uploading.countDown();
    new CountDownLatch(1).await();
    return List.of();
  }

  @Test
  void run_that_is_interrupted_while_it_uploads_has_sent_nothing_and_leaves_nothing()
      throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster(), ships(this::forEver));
      CompletableFuture<RunEnd> ended = bed.start(session);
      uploading.await();
      assertThat(session.begun()).isFalse();
      assertThat(session.outstanding(true)).isEqualTo("nothing was sent");

      session.interrupt();

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
      assertThat(bed.reliable.requests().depth().waiting()).isZero();
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_that_is_cancelled_while_it_uploads_is_settled() throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster(), ships(this::forEver));
      CompletableFuture<RunEnd> ended = bed.start(session);
      uploading.await();

      session.cancel();

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.count(TaskStatus.CANCELLED)).isEqualTo(TASKS);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_that_is_interrupted_before_it_uploads_does_not_begin_to() throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster(), ships(this::forEver));
      session.interrupt();

      assertThat(bed.run(session)).isEqualTo(RunEnd.INTERRUPTED);

      assertThat(uploading.getCount()).isEqualTo(1);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void task_that_fits_no_more_beside_the_names_of_all_that_is_shipped_is_stored() throws Exception {
    List<Content> ships =
        IntStream.range(0, Limits.SHIPS)
            .mapToObj(i ->
                new Content("ab".repeat(32), 300_000_000, "%03d".formatted(i) + "n".repeat(197)))
            .toList();
    List<String> lines = List.of("java echo " + "x".repeat(Limits.TASK_BYTES - 100));
    BundlerSettings bundler = new BundlerSettings(1, 20, 60 * 1024, false);
    try (SessionBed bed =
        new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, lines, bundler, temp)) {
      RunSession session = bed.session(bed.cluster(), ships((blobs, run) -> ships));

      assertThat(bed.run(session)).isEqualTo(RunEnd.DETACHED);

      assertThat(bed.reliable.requests().depth().waiting()).isEqualTo(1);
      assertThat(bed.reliable.blobs().list("a-run/in")).hasSize(1);
    }
  }
}
