package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.session.CancelRun.Completion;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose results nobody wants any more. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CancelRunTest {
  private static final int TASKS = 300;

  /** That of a run whose folder is elsewhere. */
  private static final Completion ELSEWHERE = cancelled -> CancelRun.Completed.ELSEWHERE;

  @TempDir Path temp;
  private final List<String> said = new ArrayList<>();

  private SessionBed bed() throws Exception {
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, TASKS, temp);
  }

  private CancelRun cancel(SessionBed bed, TimeSource time) {
    return cancel(bed, time, false);
  }

  private CancelRun cancel(SessionBed bed, TimeSource time, boolean discard) {
    return cancel(bed, time, discard, ELSEWHERE);
  }

  private CancelRun cancel(
      SessionBed bed, TimeSource time, boolean discard, Completion completion) {
    return cancel(bed.reliable, bed, time, discard, completion);
  }

  private CancelRun cancel(
      Cluster cluster, SessionBed bed, TimeSource time, boolean discard, Completion completion) {
    return new CancelRun(
        cluster,
        SessionBed.LEASE,
        RunIdentity.fresh("Q", bed.identity.run(), new Random()),
        time,
        Pause.real(),
        said::add,
        discard,
        Optional.of("RESUME"),
        completion);
  }

  @Test
  void live_client_settles_its_run_when_somebody_else_cancels_it() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicBoolean reported = new AtomicBoolean();
      SessionOptions extras =
          new SessionOptions(
              (blobs, run) -> List.of(), false, () -> reported.set(true), l -> {}, Pause.real());
      RunSession session = bed.session(bed.cluster(), extras);
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() > 0);

      Completion never =
          cancelled -> {
            throw new AssertionError("its client completes the results");
          };
      assertThat(cancel(bed, bed.time, false, never).cancel().line())
          .startsWith("run a-run is cancelled; its client");

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(reported).isTrue();
      assertThat(bed.count(TaskStatus.CANCELLED)).isEqualTo(TASKS);
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.results())
          .allMatch(line -> line.contains("\"error\":\"the run was cancelled\""));
      RunEntry entry = bed.entry();
      assertThat(entry.state()).isEqualTo(RunEntry.State.CANCELLED);
      assertThat(entry.counts()).containsEntry(TaskStatus.CANCELLED, (long) TASKS);
      assertThat(LeaseWatch.letGo(entry)).isTrue();
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void results_that_are_in_stay_when_the_client_cancels_its_run() throws Exception {
    List<String> slow = Collections.nCopies(TASKS, "sleep 50");
    BundlerSettings bundler = new BundlerSettings(1, 20, 60 * 1024, true);
    try (SessionBed bed =
        new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, slow, bundler, temp)) {
      bed.worker();
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().finished() > 5);

      session.cancel();

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isGreaterThan(5);
      assertThat(bed.count(TaskStatus.SUCCEEDED) + bed.count(TaskStatus.CANCELLED))
          .isEqualTo(TASKS);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_without_a_client_is_cleared_up() throws Exception {
    try (SessionBed bed = bed()) {
      left(bed);
      bed.reliable.blobs().put(bed.identity.run() + "/in/x", new byte[1]);

      assertThat(cancel(bed, bed.time).cancel().line())
          .startsWith("run a-run is cancelled; no client collects it");

      bed.assertNothingIsLeft();
      assertThat(said).isEmpty();
      assertThat(cancel(bed, bed.time).cancel().line())
          .startsWith("run a-run was cancelled before");
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
    }
  }

  /** Starts a run whose client leaves when it has sent something. */
  private static void left(SessionBed bed) throws Exception {
    RunSession session = bed.session(bed.cluster());
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() > 0);
    session.interrupt();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
  }

  /** A run whose client has left, and of which some tasks have finished since. */
  private static void leftWithResults(SessionBed bed) throws Exception {
    left(bed);
    bed.worker();
    await()
        .until(() -> {
          var depth = bed.reliable.requests().depth();
          return depth.waiting() + depth.inFlight() == 0;
        });
  }

  @Test
  void results_that_nobody_has_collected_are_left_to_a_resume_which_settles_the_run()
      throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);

      assertThat(cancel(bed, bed.time).cancel().line())
          .contains("results of finished tasks are waiting")
          .contains("collect them with: RESUME")
          .contains("--discard");
      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.CANCELLED);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isPositive();
      assertThat(bed.count(TaskStatus.SUCCEEDED) + bed.count(TaskStatus.CANCELLED))
          .isEqualTo(TASKS);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void results_are_completed_where_the_folder_is_and_no_object_of_the_run_stays() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      Completion here =
          cancelled -> {
            assertThat(cancelled.state()).isEqualTo(RunEntry.State.CANCELLED);
            assertThat(resume(bed)).isEqualTo(RunEnd.CANCELLED);
            // a worker that has not noticed yet
            bed.reliable.blobs().put(bed.identity.run() + "/out/late", new byte[1]);
            return CancelRun.Completed.NOW;
          };

      assertThat(cancel(bed, bed.time, false, here).cancel().line())
          .isEqualTo("run a-run is cancelled; its results are complete");

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isPositive();
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_whose_results_cannot_be_completed_stays_as_it_is_until_they_are_discarded()
      throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      Completion fails =
          cancelled -> {
            // as a resume that fails once it has the run: what it received is hidden for a while
            assertThat(
                    bed.reliable
                        .responses()
                        .receive(
                            cancelled.responseQueue(), 10, Duration.ZERO, Duration.ofSeconds(10)))
                .isNotEmpty();
            long now = bed.time.serviceMillis();
            RunEntry newer =
                cancelled.with(
                    RunEntry.State.CANCELLED,
                    now,
                    cancelled.tasks(),
                    cancelled.sent(),
                    cancelled.counts(),
                    now);
            assertThat(bed.reliable.runs().update(newer)).isTrue();
            return CancelRun.Completed.FAILED;
          };

      assertThat(cancel(bed, bed.time, false, fails).cancel())
          .satisfies(done -> {
            assertThat(done.failed()).isTrue();
            assertThat(done.line())
                .startsWith("run a-run is cancelled; its queue ")
                .contains("stay until its results are completed", "--discard");
          });
      assertThat(bed.reliable.responses().list()).contains(bed.entry().responseQueue());
      assertThat(cancel(bed, bed.time, true, ELSEWHERE).cancel().line())
          .contains("no client collects it");
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void results_that_are_in_the_blob_store_alone_are_not_removed() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      bed.reliable.responses().remove(bed.entry().responseQueue());
      bed.reliable.blobs().put(BlobKeys.out(bed.identity.run(), "b", "n", 0), new byte[1]);

      CancelRun.Cancelled left = cancel(bed, bed.time).cancel();
      assertThat(left.line())
          .contains("results of finished tasks are waiting", "or in the blob store");
      assertThat(left.waiting()).isTrue();
      assertThat(left.complete()).isFalse();
      assertThat(bed.reliable.blobs().list(bed.identity.run())).hasSize(1);
    }
  }

  @Test
  void results_that_workers_stored_while_the_queue_was_silent_are_not_removed_with_it()
      throws Exception {
    try (SessionBed bed = bed()) {
      left(bed);
      bed.reliable.blobs().put(BlobKeys.out(bed.identity.run(), "b", "n", 0), new byte[1]);

      CancelRun.Cancelled left = cancel(bed, bed.time).cancel();

      assertThat(left.line())
          .contains("results of finished tasks are waiting", "or in the blob store");
      assertThat(left.waiting()).isTrue();
      assertThat(bed.reliable.blobs().list(bed.identity.run())).hasSize(1);
      assertThat(bed.reliable.responses().list()).contains(bed.entry().responseQueue());
    }
  }

  @Test
  void run_whose_folder_is_elsewhere_is_cancelled_without_a_way_to_the_store() throws Exception {
    try (SessionBed bed = bed()) {
      left(bed);
      String stored = BlobKeys.out(bed.identity.run(), "b", "n", 0);
      bed.reliable.blobs().put(stored, new byte[1]);
      AtomicBoolean failed = new AtomicBoolean();
      Cluster cut =
          Intercepted.blobs(
              bed.reliable,
              (method, arguments, call) -> {
                if (!failed.getAndSet(true)) {
                  throw new TransientServiceException("no way", null);
                }
                return call.make();
              });

      CancelRun.Cancelled done = cancel(cut, bed, bed.time, false, ELSEWHERE).cancel();

      assertThat(done.line())
          .contains("no client collects it")
          .contains("the blob store does not answer, so objects there stay");
      assertThat(bed.reliable.blobs().list(stored)).containsExactly(stored);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
    }
  }

  @Test
  void resume_of_a_cancelled_run_whose_first_receive_is_refused_collects_its_results()
      throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      assertThat(cancel(bed, bed.time).cancel().waiting()).isTrue();
      AtomicBoolean refused = new AtomicBoolean();
      Cluster policy =
          Intercepted.responses(
              bed.cluster(),
              (method, arguments, call) -> {
                if (method.equals("receive") && !refused.getAndSet(true)) {
                  throw new RefusedException(
                      "sqs:ReceiveMessage", "queue", (String) arguments[0], "HTTP 403", null);
                }
                return call.make();
              });

      assertThat(bed.resume(policy, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.CANCELLED);

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isPositive();
    }
  }

  @Test
  void queue_that_is_said_to_be_gone_for_a_moment_keeps_its_results() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      AtomicBoolean missed = new AtomicBoolean();
      Cluster glitch =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("receive") && !missed.getAndSet(true)) {
                  throw new MissingResourceException("queue", (String) arguments[0], null);
                }
                return call.make();
              });

      assertThat(cancel(glitch, bed, bed.time, false, ELSEWHERE).cancel().waiting()).isTrue();

      assertThat(bed.reliable.responses().list()).contains(bed.entry().responseQueue());
    }
  }

  @Test
  void folder_that_was_complete_before_does_not_keep_the_queue() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);
      Completion before = cancelled -> CancelRun.Completed.BEFORE;

      CancelRun.Cancelled done = cancel(bed, bed.time, false, before).cancel();
      assertThat(done.line()).endsWith(" are removed, and its results are complete");
      assertThat(done.complete()).isTrue();
      assertThat(done.waiting()).isFalse();
      bed.assertNothingIsLeft();
    }
  }

  private static RunEnd resume(SessionBed bed) {
    try {
      return bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void results_that_nobody_wants_are_removed_with_the_rest() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);

      assertThat(cancel(bed, bed.time, true).cancel().line()).contains("no client collects it");

      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_that_is_not_there_or_has_ended_is_refused() throws Exception {
    try (SessionBed bed = bed()) {
      assertThatThrownBy(() -> cancel(bed, bed.time).cancel().line())
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("has no run 'a-run'");
      bed.worker();
      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThatThrownBy(() -> cancel(bed, bed.time).cancel().line())
          .isInstanceOf(UsageException.class)
          .hasMessage("run 'a-run' has ended; there is nothing to cancel");
    }
  }
}
