package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.testing.Intercepted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs that were left alone for long: their response queue is gone, with what it held. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class GoneQueueTest {
  private static final int TASKS = 20;

  /** More than there are threads that may have found the queue gone at the same time. */
  private static final int FAILED_CREATES = 4;

  private static final SessionOptions DETACHED =
      new SessionOptions((blobs, run) -> List.of(), true, () -> {}, line -> {}, millis -> {});

  @TempDir Path temp;

  /** Everything is sent, in four bundles, and no client is there. */
  private SessionBed detached(Consistency consistency) throws Exception {
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo " + i).toList();
    BundlerSettings bundler = new BundlerSettings(5, 20, 60 * 1024, false);
    SessionBed bed = new SessionBed(Misbehaviour.none(), consistency, lines, bundler, temp);
    assertThat(bed.run(bed.session(bed.reliable, DETACHED))).isEqualTo(RunEnd.DETACHED);
    return bed;
  }

  private static void removeQueue(SessionBed bed) {
    bed.reliable.responses().remove(bed.entry().responseQueue());
  }

  /** Workers ran everything, and its results are gone with the queue. */
  private static void runInVain(SessionBed bed) {
    bed.worker(bed.reliable);
    await().until(() -> bed.reliable.requests().depth().equals(new QueueDepth(0, 0, 0)));
    removeQueue(bed);
  }

  private static void assertWhole(SessionBed bed) throws Exception {
    assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
    assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
    bed.assertNothingIsLeft();
  }

  /** Each such answer ended the run, though the queue was there all the time. */
  @Test
  void answers_that_the_queue_or_table_does_not_exist_end_no_run_if_they_do_not_last()
      throws Exception {
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo " + i).toList();
    // more bundles than a batch takes, so that there is a second send
    BundlerSettings bundler = new BundlerSettings(1, 20, 60 * 1024, false);
    try (SessionBed bed =
        new SessionBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, lines, bundler, temp)) {
      bed.worker();
      AtomicInteger sends = new AtomicInteger();
      AtomicInteger updates = new AtomicInteger();
      AtomicReference<RunSession> session = new AtomicReference<>();
      Cluster hiccuping =
          Intercepted.runs(
              Intercepted.requests(
                  bed.reliable,
                  (method, args, call) -> {
                    if (method.equals("send") && sends.incrementAndGet() % 2 == 0) {
                      // the queue has worked once, as two threads send
                      await().until(() -> session.get().counts().sent() > 0);
                      throw new MissingResourceException("queue", "Q", null);
                    }
                    return call.make();
                  }),
              (method, args, call) -> {
                if (method.equals("update") && updates.incrementAndGet() == 1) {
                  throw new MissingResourceException("table", "Q-runs", null);
                }
                return call.make();
              });

      session.set(bed.session(hiccuping));
      assertThat(bed.run(session.get())).isEqualTo(RunEnd.COMPLETE);

      assertThat(sends).hasValueGreaterThan(1);
      assertThat(updates).hasValueGreaterThan(1);
      assertWhole(bed);
    }
  }

  @Test
  void send_that_fails_in_passing_is_repeated_soon() throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      runInVain(bed);
      AtomicBoolean failed = new AtomicBoolean();
      Cluster failing =
          Intercepted.requests(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("send") && !failed.getAndSet(true)) {
                  throw new TransientServiceException("HTTP 503", null);
                }
                return call.make();
              });

      assertThat(bed.resume(failing, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertThat(failed).isTrue();
      assertWhole(bed);
    }
  }

  @Test
  void nothing_is_sent_again_while_the_lease_may_be_over() throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      runInVain(bed);
      AtomicBoolean cut = new AtomicBoolean();
      AtomicInteger sends = new AtomicInteger();
      AtomicInteger sentUnleased = new AtomicInteger();
      Cluster failing =
          Intercepted.runs(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("update") && cut.get()) {
                  throw new TransientServiceException("HTTP 503", null);
                }
                return call.make();
              });
      Cluster slow =
          Intercepted.requests(
              failing,
              (method, arguments, call) -> {
                if (method.equals("send")) {
                  sentUnleased.addAndGet(cut.get() ? 1 : 0);
                  if (sends.getAndIncrement() == 0) {
                    cut.set(true);
                    long over = bed.time.serviceMillis() + SessionBed.LEASE.lease();
                    await().until(() -> bed.time.serviceMillis() > over);
                    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
                        .execute(() -> cut.set(false));
                  }
                }
                return call.make();
              });

      assertThat(bed.resume(slow, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertThat(sends).hasValueGreaterThan(1);
      assertThat(sentUnleased).hasValue(0);
      assertWhole(bed);
    }
  }

  @Test
  void what_a_dead_client_meant_to_send_again_is_sent_by_the_next_one() throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      runInVain(bed);
      Cluster dying =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("create")) {
                  throw new MortalCluster.Died();
                }
                return answer;
              });
      assertThatThrownBy(() -> bed.resume(dying, bed.folder, SessionOptions.NONE))
          .isInstanceOf(CloudKonException.class);

      assertThat(bed.resume(bed.reliable, bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertWhole(bed);
    }
  }

  @Test
  void results_that_no_queue_took_are_found_and_not_run_again() throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      storedByWorkers(bed);

      Cluster unsent =
          Intercepted.requests(
              bed.reliable,
              (method, arguments, call) -> {
                assertThat(method).isNotEqualTo("send");
                return call.make();
              });
      assertThat(bed.resume(unsent, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);

      assertWhole(bed);
    }
  }

  /** As a worker does whose results no queue takes. */
  private static void storedByWorkers(SessionBed bed) throws Exception {
    removeQueue(bed);
    RequestQueue requests = bed.reliable.requests();
    var messages = requests.receive(10, Duration.ZERO, Duration.ofMinutes(1));
    assertThat(messages).hasSize(4);
    for (ReceivedMessage message : messages) {
      Bundle bundle = BundleCodec.decode(message.payload());
      String key = BlobKeys.out(bed.identity.run(), bundle.header().bundle(), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(results(bundle)));
      assertThat(requests.delete(List.of(message.handle()))).isEmpty();
    }
  }

  private static ResultBatch results(Bundle bundle) {
    return new ResultBatch(
        bundle.header().run(),
        bundle.header().epoch(),
        bundle.header().bundle(),
        new ResultBatch.WorkerId("w", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        bundle.tasks().stream()
            .map(t -> TaskResult.notRun(t.ordinal(), t.id(), TaskStatus.SUCCEEDED, "", 7))
            .toList(),
        List.of(),
        "");
  }

  @Test
  void results_that_a_dead_client_has_found_in_the_store_are_removed_by_the_next_one()
      throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      storedByWorkers(bed);
      Cluster dying =
          Intercepted.runs(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("update")
                    && ((RunEntry) arguments[0]).state() == RunEntry.State.ENDED) {
                  throw new MortalCluster.Died();
                }
                return call.make();
              });
      assertThat(bed.resume(dying, bed.folder, SessionOptions.NONE)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.reliable.blobs().list("a-run/out")).isNotEmpty();

      assertThat(bed.resume(bed.reliable, bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      bed.assertNothingIsLeft();
    }
  }

  @Test
  void queue_that_was_gone_for_a_while_only_is_removed_with_the_others() throws Exception {
    try (SessionBed bed = detached(Consistency.AT_LEAST_ONCE)) {
      String first = bed.entry().responseQueue();
      removeQueue(bed);
      Cluster back =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("create")) {
                  bed.reliable.responses().create(first);
                }
                return answer;
              });
      CompletableFuture<RunEnd> ended = resumed(bed, back);
      await().until(() -> bed.reliable.responses().list().size() == 2);
      bed.worker(bed.reliable);

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);

      assertWhole(bed);
    }
  }

  @Test
  void move_is_finished_after_a_lost_answer_though_the_old_queue_shows_again() throws Exception {
    moveThatFailsAtFirst(true, new TransientServiceException("HTTP 503", null));
  }

  @Test
  void move_is_finished_after_a_create_that_failed_though_the_old_queue_shows_again()
      throws Exception {
    moveThatFailsAtFirst(false, new TransientServiceException("HTTP 503", null));
  }

  @Test
  void move_is_finished_after_a_policy_has_refused_the_other_queue_for_a_while() throws Exception {
    moveThatFailsAtFirst(
        false, new RefusedException("sqs:CreateQueue", "queue", "Q-*", "HTTP 403", null));
  }

  /**
   * The first calls that are to make the other queue fail, and the old queue is there again.
   *
   * @param made whether those calls take effect, and only their answers are lost
   */
  private void moveThatFailsAtFirst(boolean made, RuntimeException why) throws Exception {
    try (SessionBed bed = detached(Consistency.EXACTLY_ONCE)) {
      String first = bed.entry().responseQueue();
      AtomicInteger creates = new AtomicInteger();
      Cluster failing =
          Intercepted.responses(
              bed.reliable,
              (method, arguments, call) -> {
                if (method.equals("create") && creates.getAndIncrement() < FAILED_CREATES) {
                  if (made) {
                    call.make();
                  }
                  throw why;
                }
                if (method.equals("receive") && arguments[0].equals(first) && creates.get() == 0) {
                  throw new MissingResourceException("queue", first, null);
                }
                return call.make();
              });
      CompletableFuture<RunEnd> ended = resumed(bed, failing);
      await().until(() -> creates.get() > 0);
      bed.worker(bed.reliable);

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.entry().responseQueue()).isNotEqualTo(first);
      assertWhole(bed);
    }
  }

  /** Goes on with the run in a thread of its own. */
  private static CompletableFuture<RunEnd> resumed(SessionBed bed, Cluster seen) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return bed.resume(seen, bed.folder, SessionOptions.NONE);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        },
        Thread::startVirtualThread);
  }

  @Test
  void client_that_finds_the_journal_open_elsewhere_touches_no_results() throws Exception {
    try (SessionBed bed = detached(Consistency.EXACTLY_ONCE)) {
      Path results = bed.folder.resolve("results.jsonl");
      Files.writeString(results, "{\"task\":\"1\",\"index\":0,\"status\":\"SUCC");
      try (Journal held = RunFolder.resume(bed.folder).openJournal()) {
        assertThat(held).isNotNull();
        assertThatThrownBy(() -> bed.resume(bed.reliable, bed.folder, SessionOptions.NONE))
            .hasMessageContaining("is being written by another client process");
        assertThat(results).content().endsWith("SUCC");
      }
      bed.worker(bed.reliable);

      assertThat(bed.resume(bed.reliable, bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertWhole(bed);
    }
  }
}
