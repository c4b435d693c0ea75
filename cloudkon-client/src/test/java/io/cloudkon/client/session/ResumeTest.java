package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that leave their run, and others that go on with it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ResumeTest {
  private static final int TASKS = 60;
  private static final SessionOptions DETACHED =
      new SessionOptions((blobs, run) -> List.of(), true, () -> {}, line -> {}, Pause.real());

  @TempDir Path temp;

  private SessionBed bed() throws Exception {
    return bed(new BundlerSettings(5, 20, 60 * 1024, true));
  }

  private SessionBed bed(BundlerSettings bundler) throws Exception {
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo " + i).toList();
    return new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, lines, bundler, temp);
  }

  private void interrupted(SessionBed bed) throws Exception {
    RunSession session = bed.session(bed.cluster());
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() == TASKS);
    session.interrupt();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
  }

  @Test
  void interrupted_run_is_resumed_at_once_and_by_as_many_clients_as_it_takes() throws Exception {
    try (SessionBed bed = bed()) {
      interrupted(bed);
      List<String> said = new ArrayList<>();
      Takeover.Taken second = bed.takeOver(bed.cluster(), bed.folder, bed.time, said::add);
      assertThat(said).isEmpty();
      assertThat(second.entry().responseQueue()).isEqualTo(bed.identity.responseQueue());
      bed.worker();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_with_a_live_client_is_refused_and_its_client_named() throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == TASKS);
      List<String> said = new ArrayList<>();

      assertThatThrownBy(() -> bed.takeOver(bed.cluster(), bed.folder, bed.time, said::add))
          .isInstanceOf(CloudKonException.class)
          .isNotInstanceOf(UsageException.class)
          .hasMessageContaining("is collected by " + bed.identity.host())
          .hasMessageContaining("(client " + bed.identity.client() + ")")
          .hasMessageContaining("renewed its lease 0 s ago");
      assertThat(said).singleElement().asString().contains("waiting up to");

      bed.worker();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
    }
  }

  @Test
  void run_that_has_ended_is_refused_and_what_its_client_left_is_removed() throws Exception {
    try (SessionBed bed = bed()) {
      bed.worker();
      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);
      bed.reliable.responses().create(bed.identity.responseQueue());
      bed.reliable.blobs().put(bed.identity.run() + "/out/x", new byte[1]);

      assertThatThrownBy(() -> bed.takeOver(bed.cluster(), bed.folder))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("has ended")
          .hasMessageContaining("its results are in " + bed.folder);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_that_nobody_knows_is_refused() throws Exception {
    Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
    try (SessionBed bed = bed();
        SessionBed other =
            new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, 1, elsewhere)) {
      interrupted(bed);
      assertThatThrownBy(() -> other.takeOver(other.cluster(), bed.folder))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("has no run 'a-run'");
    }
  }

  @Test
  void journal_of_another_submission_is_refused() throws Exception {
    try (SessionBed bed = bed()) {
      interrupted(bed);
      Path journal = bed.folder.resolve("journal");
      Path other = Files.createDirectory(temp.resolve("other"));
      try (SessionBed second =
          new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, 9, other)) {
        interruptedElsewhere(second);
        Files.copy(
            second.folder.resolve("journal"),
            journal,
            java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
      assertThatThrownBy(() -> bed.takeOver(bed.cluster(), bed.folder))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("belongs to another submission");
    }
  }

  private static void interruptedElsewhere(SessionBed bed) throws Exception {
    RunSession session = bed.session(bed.cluster());
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() == 9);
    session.interrupt();
    assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
  }

  @Test
  void detached_client_leaves_after_the_last_send_and_another_one_collects() throws Exception {
    try (SessionBed bed = bed(new BundlerSettings(0, 20, 60 * 1024, false))) {
      assertThat(bed.run(bed.session(bed.cluster(), DETACHED))).isEqualTo(RunEnd.DETACHED);
      assertThat(bed.state()).isEqualTo(RunEntry.State.OPEN);
      assertThat(LeaseWatch.letGo(bed.entry())).isTrue();
      assertThat(bed.entry().sent()).isEqualTo(TASKS);
      assertThat(bed.reliable.responses().list()).hasSize(1);
      bed.worker();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void what_a_run_ships_is_stored_once_named_in_every_bundle_and_removed_in_the_end()
      throws Exception {
    Content tool = new Content("ab".repeat(32), 3, "tool");
    SessionOptions ships =
        new SessionOptions(
            (blobs, run) -> {
              blobs.put(BlobKeys.in(run, tool.sha256()), new byte[] {1, 2, 3});
              return List.of(tool);
            },
            true,
            () -> {},
            line -> {},
            Pause.real());
    try (SessionBed bed = bed()) {
      assertThat(bed.run(bed.session(bed.cluster(), ships))).isEqualTo(RunEnd.DETACHED);
      assertThat(RunFolder.resume(bed.folder).header().ships()).containsExactly(tool);
      assertThat(bed.reliable.blobs().list(bed.identity.run())).hasSize(1);

      assertThat(bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis()))
          .isPresent();
      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.CANCELLED);

      bed.assertNothingIsLeft();
    }
  }

  @Test
  void resumed_run_may_be_detached_again() throws Exception {
    try (SessionBed bed = bed()) {
      interrupted(bed);
      assertThat(bed.resume(bed.cluster(), bed.folder, DETACHED)).isEqualTo(RunEnd.DETACHED);
      bed.worker();
      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
    }
  }

  @Test
  void queue_that_is_gone_when_a_client_resumes_is_made_anew_under_another_name() throws Exception {
    try (SessionBed bed = bed()) {
      interrupted(bed);
      bed.reliable.responses().remove(bed.identity.responseQueue());
      bed.worker();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.entry().responseQueue()).isNotEqualTo(bed.identity.responseQueue());
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void queue_that_goes_in_mid_run_is_made_anew_and_what_it_held_is_looked_after() throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == TASKS);
      bed.reliable.responses().remove(bed.identity.responseQueue());
      await().until(() -> !bed.entry().responseQueue().equals(bed.identity.responseQueue()));
      bed.worker();

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_that_was_cancelled_while_nobody_had_it_is_settled_by_a_resume() throws Exception {
    try (SessionBed bed = bed()) {
      interrupted(bed);
      assertThat(bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis()))
          .isPresent();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.CANCELLED);

      assertThat(bed.count(TaskStatus.CANCELLED)).isEqualTo(TASKS);
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.state()).isEqualTo(RunEntry.State.CANCELLED);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void client_that_is_followed_by_another_one_ends_and_says_by_whom() throws Exception {
    try (SessionBed bed = bed()) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == TASKS);
      RunEntry seen = bed.entry();
      RunEntry next =
          seen.heldBy("c2", "elsewhere", seen.responseQueue(), seen.leaseEnd(), seen.leaseEnd());
      await().until(() -> bed.reliable.runs().takeOver(next, bed.entry()) || held(bed, "c2"));

      assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS))
          .hasMessageContaining("collected by another client, elsewhere (client c2)");
      assertThat(bed.entry().holder()).isEqualTo("c2");
      assertThat(bed.reliable.responses().list()).hasSize(1);
    }
  }

  private static boolean held(SessionBed bed, String by) {
    return bed.entry().holder().equals(by);
  }
}
