package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.session.CancelRun.Completion;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.time.TimeSource;
import java.nio.file.Path;
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

  @TempDir Path temp;
  private final List<String> said = new ArrayList<>();

  private SessionBed bed() throws Exception {
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, TASKS, temp);
  }

  private CancelRun cancel(SessionBed bed, TimeSource time) {
    return cancel(bed, time, false);
  }

  private CancelRun cancel(SessionBed bed, TimeSource time, boolean discard) {
    return cancel(bed, time, discard, Completion.USER);
  }

  private CancelRun cancel(
      SessionBed bed, TimeSource time, boolean discard, Completion completion) {
    return new CancelRun(
        bed.reliable,
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

      assertThat(cancel(bed, bed.time, false, Completion.CALLER).cancel())
          .satisfies(done -> {
            assertThat(done.line()).startsWith("run a-run is cancelled; its client");
            assertThat(done.unsettled()).isFalse();
          });

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
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() > 0);
      session.interrupt();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      bed.reliable.blobs().put(bed.identity.run() + "/in/x", new byte[1]);

      assertThat(cancel(bed, bed.time).cancel().line())
          .startsWith("run a-run is cancelled; no client collects it")
          .endsWith("; to complete its results: RESUME");

      bed.assertNothingIsLeft();
      assertThat(said).isEmpty();
      assertThat(cancel(bed, bed.time).cancel().line())
          .startsWith("run a-run was cancelled before");
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
    }
  }

  /** A run whose client has left, and of which some tasks have finished since. */
  private static void leftWithResults(SessionBed bed) throws Exception {
    RunSession session = bed.session(bed.cluster());
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() > 0);
    session.interrupt();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
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
  void caller_that_resumes_a_run_finds_everything_as_it_was_left() throws Exception {
    try (SessionBed bed = bed()) {
      leftWithResults(bed);

      assertThat(cancel(bed, bed.time, false, Completion.CALLER).cancel())
          .isEqualTo(
              new CancelRun.Cancelled("run a-run is cancelled; no client collects it", true));
      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.CANCELLED);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isPositive();
      bed.assertNothingIsLeft();
      assertThat(cancel(bed, bed.time, false, Completion.CALLER).cancel().line())
          .startsWith("run a-run was cancelled before");
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
      assertThatThrownBy(() -> cancel(bed, bed.time).cancel())
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("has no run 'a-run'");
      bed.worker();
      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThatThrownBy(() -> cancel(bed, bed.time).cancel())
          .isInstanceOf(UsageException.class)
          .hasMessage("run 'a-run' has ended; there is nothing to cancel");
    }
  }
}
