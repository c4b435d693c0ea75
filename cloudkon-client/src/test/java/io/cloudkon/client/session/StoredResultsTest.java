package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.testing.Refusing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Results that lie in the blob store, and answers that concern a bundle as a whole. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class StoredResultsTest {
  private static final int TASKS = 4;

  @TempDir Path temp;

  /** One bundle of four tasks, which was sent and which no worker has. */
  private SessionBed bed() throws Exception {
    return new SessionBed(
        Misbehaviour.none(),
        Consistency.EXACTLY_ONCE,
        Collections.nCopies(TASKS, "noop"),
        new BundlerSettings(TASKS, 20, 60 * 1024, true),
        temp);
  }

  private static String bundle(SessionBed bed) {
    return BundleIds.of(bed.identity.run(), bed.identity.epoch(), 0);
  }

  private static ResultBatch batch(SessionBed bed, String bundle, String error, int... ordinals) {
    return batch(bed, bundle, error, TaskStatus.SUCCEEDED, ordinals);
  }

  private static ResultBatch batch(
      SessionBed bed, String bundle, String error, TaskStatus status, int... ordinals) {
    List<TaskResult> results =
        IntStream.of(ordinals)
            .mapToObj(i -> TaskResult.notRun(i, "" + (i + 1), status, "", 7))
            .toList();
    return new ResultBatch(
        bed.identity.run(),
        bed.identity.epoch(),
        bundle,
        new ResultBatch.WorkerId("w", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        results,
        List.of(),
        error);
  }

  private static void send(SessionBed bed, ResultBatch batch) {
    assertThat(
            bed.reliable
                .responses()
                .send(
                    bed.entry().responseQueue(),
                    List.of(new OutgoingMessage(Map.of(), ResultCodec.encode(batch)))))
        .isEmpty();
  }

  private static CompletableFuture<RunEnd> sent(SessionBed bed) {
    return sent(bed, bed.cluster());
  }

  private static CompletableFuture<RunEnd> sent(SessionBed bed, Cluster cluster) {
    RunSession session = bed.session(cluster);
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() == TASKS);
    return ended;
  }

  private static void done(
      SessionBed bed, String id, Positions done, TreeMap<Integer, Child> children) {
    long now = bed.time.serviceMillis();
    Acquisition mine =
        new Acquisition(
            id, Acquisition.Mode.TAKE_OVER, "w", "n", now + 60_000, 0, 0, Positions.none(), now);
    assertThat(bed.reliable.claims().acquire(mine)).isInstanceOf(ClaimAnswer.Accepted.class);
    ClaimWrite end =
        new ClaimWrite(
            id,
            1,
            "n",
            1,
            ClaimState.LEASED,
            ClaimState.DONE,
            now,
            0,
            done,
            done,
            children,
            now / 1000 + 3_600);
    assertThat(bed.reliable.claims().write(end)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void message_that_names_stored_results_brings_them_and_they_are_removed_in_the_end()
      throws Exception {
    try (SessionBed bed = bed()) {
      Set<Object> spent = ConcurrentHashMap.newKeySet();
      Cluster seen =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                if (method.equals("spent")) {
                  spent.addAll((Collection<?>) arguments[0]);
                }
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, seen);
      ResultBatch whole = batch(bed, bundle(bed), "", 0, 1, 2, 3);
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(whole));

      send(bed, whole.storedUnder(key + "-lost"));
      send(bed, whole.storedUnder("other-run/out/x"));
      send(bed, whole.storedUnder(key));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      assertThat(spent).as("what was written").containsExactly(key);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void copies_of_messages_that_name_stored_results_do_not_read_them_again() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger reads = new AtomicInteger();
      AtomicInteger deleted = new AtomicInteger();
      Cluster seen =
          Intercepted.responses(
              Intercepted.blobs(
                  bed.cluster(),
                  (method, arguments, call) -> {
                    if (method.equals("get")) {
                      reads.incrementAndGet();
                    }
                    return call.make();
                  }),
              (method, arguments, call) -> {
                if (method.equals("delete")) {
                  deleted.addAndGet(((Collection<?>) arguments[1]).size());
                }
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, seen);
      for (int i = 0; i < TASKS - 1; i++) {
        ResultBatch one = batch(bed, bundle(bed), "", i);
        String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", i);
        bed.reliable.blobs().put(key, ResultCodec.encode(one));
        send(bed, one.storedUnder(key));
        send(bed, one.storedUnder(key));
      }
      await().until(() -> deleted.get() >= TASKS - 1 && bed.statistics.done() == TASKS - 1);
      for (int i = 0; i < TASKS - 1; i++) {
        String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", i);
        send(bed, batch(bed, bundle(bed), "", i).storedUnder(key));
      }
      await().atMost(60, TimeUnit.SECONDS).until(() -> deleted.get() >= 3 * (TASKS - 1));
      send(bed, batch(bed, bundle(bed), "", TASKS - 1));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(reads).hasValue(TASKS - 1);
    }
  }

  /** The copy comes while the second of two tasks' files are fetched, and the first's have come. */
  @Test
  void copy_of_a_message_whose_files_are_being_fetched_fetches_none_again() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger fetches = new AtomicInteger();
      AtomicReference<Thread> gotCopy = new AtomicReference<>();
      CountDownLatch copyTaken = new CountDownLatch(1);
      AtomicReference<ResultBatch> message = new AtomicReference<>();
      Cluster seen =
          Intercepted.responses(
              Intercepted.blobs(
                  bed.cluster(),
                  (method, arguments, call) -> {
                    if (method.equals("get") && fetches.incrementAndGet() == 2) {
                      send(bed, message.get());
                      copyTaken.await();
                    }
                    return call.make();
                  }),
              (method, arguments, call) -> {
                if (!method.equals("receive")) {
                  return call.make();
                }
                if (Thread.currentThread().equals(gotCopy.get())) {
                  copyTaken.countDown();
                }
                Object answer = call.make();
                if (fetches.get() >= 2 && !((Collection<?>) answer).isEmpty()) {
                  gotCopy.set(Thread.currentThread());
                }
                return answer;
              });
      CompletableFuture<RunEnd> ended = sent(bed, seen);
      message.set(withFiles(bed, 0, 1));
      send(bed, message.get());
      await().until(() -> bed.statistics.done() == 2);
      send(bed, batch(bed, bundle(bed), "", 2, 3));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(fetches).hasValue(2);
      assertThat(bed.folder.resolve("files/1/file")).hasContent("answer");
      assertThat(bed.folder.resolve("files/2/file")).hasContent("answer");
    }
  }

  private ResultBatch withFiles(SessionBed bed, int... ordinals) throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    Tree.packFile(Files.writeString(temp.resolve("brought-back"), "answer"), archive);
    ResultBatch plain = batch(bed, bundle(bed), "", ordinals);
    List<TaskResult> results = new ArrayList<>();
    for (TaskResult result : plain.results()) {
      String run = bed.identity.run();
      String key = BlobKeys.files(run, bundle(bed), "nonce", result.ordinal(), 1);
      bed.reliable.blobs().put(key, archive.toByteArray());
      results.add(result.with(new CollectedFiles(key, 1, 6, List.of(), 0, List.of(), "")));
    }
    return plain.withResults(results);
  }

  /** Two threads collect; the second one gets nothing, and is done when the first one waits. */
  private static final class InHand {
    private static final long GRACE_MILLIS = 3_500;

    final CountDownLatch lost = new CountDownLatch(1);
    final CountDownLatch receiving = new CountDownLatch(1);
    private final CountDownLatch fetching = new CountDownLatch(1);
    private final CountDownLatch cameBack = new CountDownLatch(1);
    private final AtomicInteger receives = new AtomicInteger();

    Cluster seen(Cluster whole) {
      Cluster slow =
          Intercepted.blobs(
              whole,
              (method, arguments, call) -> {
                if (method.equals("get")) {
                  fetching.countDown();
                  cameBack.await();
                }
                return call.make();
              });
      return Intercepted.responses(
          slow,
          (method, arguments, call) ->
              method.equals("receive")
                      && Thread.currentThread().getName().equals("cloudkon-collect-1")
                  ? receive(call)
                  : call.make());
    }

    static void passes(long millis) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      await().until(() -> System.nanoTime() > end);
    }

    private Object receive(Intercepted.Call call) throws Throwable {
      switch (receives.incrementAndGet()) {
        case 1 -> lost.await();
        case 2 -> {
          receiving.countDown();
          fetching.await();
          passes(GRACE_MILLIS);
        }
        default -> {
          cameBack.countDown();
          return call.make();
        }
      }
      return List.of();
    }
  }

  @Test
  void task_is_not_lost_while_its_result_is_fetched() throws Exception {
    try (SessionBed bed = bed()) {
      InHand inHand = new InHand();
      CompletableFuture<RunEnd> ended = sent(bed, inHand.seen(bed.cluster()));
      ResultBatch lost = batch(bed, bundle(bed), "", TaskStatus.LOST, 3);
      send(bed, lost);
      send(bed, batch(bed, bundle(bed), "", 0, 1, 2));
      await().until(() -> bed.statistics.done() == 3);
      inHand.lost.countDown();
      inHand.receiving.await();
      InHand.passes(10);

      ResultBatch real = batch(bed, bundle(bed), "", 3);
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 3);
      bed.reliable.blobs().put(key, ResultCodec.encode(real));
      send(bed, real.storedUnder(key));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    }
  }

  @Test
  void results_of_a_bundle_that_is_done_are_found_where_its_worker_left_them() throws Exception {
    try (SessionBed bed = bed()) {
      CompletableFuture<RunEnd> ended = sent(bed);
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(batch(bed, bundle(bed), "", 0, 1, 2)));
      done(bed, bundle(bed), Positions.range(0, TASKS), new TreeMap<>());
      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertThat(ended.get(120, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(3);
      assertThat(bed.count(TaskStatus.LOST)).isEqualTo(1);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void results_of_a_cancelled_run_that_a_worker_stored_count_although_the_queue_exists()
      throws Exception {
    try (SessionBed bed = bed()) {
      CompletableFuture<RunEnd> ended = sent(bed);
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(batch(bed, bundle(bed), "", 0, 1)));

      bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(2);
      assertThat(bed.count(TaskStatus.CANCELLED)).isEqualTo(2);
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void cancelled_run_looks_into_the_store_once_and_reads_nothing_that_it_has() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger lists = new AtomicInteger();
      AtomicInteger reads = new AtomicInteger();
      Cluster seen =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                (method.equals("list") ? lists : reads).incrementAndGet();
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, seen);

      bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(lists).hasValue(1);
      assertThat(reads).hasValue(0);
    }
  }

  @Test
  void run_that_uses_no_store_makes_no_call_to_it_though_a_worker_has_put_something()
      throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger calls = new AtomicInteger();
      Cluster seen =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                calls.incrementAndGet();
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, seen);

      send(bed, withCalls(batch(bed, bundle(bed), "", 0, 1, 2, 3), 2));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(calls).hasValue(0);
    }
  }

  @Test
  void cancelled_run_whose_stored_results_cannot_be_read_for_a_while_keeps_them() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger reads = new AtomicInteger();
      Cluster denied =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                if (method.equals("get") && reads.incrementAndGet() <= 2) {
                  throw new RefusedException("s3:GetObject", "bucket", "b", "HTTP 403", null);
                }
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, denied);
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(batch(bed, bundle(bed), "", 0, 1)));

      bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(2);
    }
  }

  @Test
  void cancelled_run_that_uses_no_store_asks_once_where_there_is_no_way_to_it() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicInteger calls = new AtomicInteger();
      Cluster cut =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                calls.incrementAndGet();
                throw new TransientServiceException("no way", null);
              });
      CompletableFuture<RunEnd> ended = sent(bed, cut);

      bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertThat(calls).hasValue(1);
    }
  }

  private static ResultBatch withCalls(ResultBatch batch, int puts) {
    return new ResultBatch(
        batch.run(),
        batch.epoch(),
        batch.bundle(),
        batch.worker(),
        batch.attempt(),
        batch.nonce(),
        batch.stamps(),
        batch.results(),
        List.of(new ResultBatch.Calls("s3.PutObject", puts, puts)),
        "");
  }

  /** Its worker had the first task's result accepted, and gave up the others for the cancel. */
  private static void givenUpBut(SessionBed bed, Positions recorded) {
    done(bed, bundle(bed), recorded, new TreeMap<>());
    bed.reliable.responses().remove(bed.identity.responseQueue());
  }

  private static void assertOnlyTheRecordedOneIsLost(SessionBed bed) throws Exception {
    assertThat(bed.results().stream().filter(line -> line.contains("\"LOST\"")))
        .singleElement()
        .asString()
        .contains("\"index\":0,");
    assertThat(bed.count(TaskStatus.CANCELLED)).isEqualTo(TASKS - 1);
    assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
    bed.assertNothingIsLeft();
  }

  @Test
  void task_of_a_cancelled_run_is_lost_only_if_its_result_was_accepted_and_is_gone()
      throws Exception {
    try (SessionBed bed = bed()) {
      Cluster cancelledMeanwhile =
          Intercepted.blobs(
              bed.cluster(),
              (method, arguments, call) -> {
                var unused =
                    bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, cancelledMeanwhile);

      givenUpBut(bed, Positions.of(0));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.CANCELLED);
      assertOnlyTheRecordedOneIsLost(bed);
    }
  }

  @Test
  void resume_that_settles_a_cancelled_run_finds_no_more_tasks_lost() throws Exception {
    try (SessionBed bed = bed()) {
      AtomicReference<RunSession> session = new AtomicReference<>();
      Cluster interruptedMeanwhile =
          Intercepted.claims(
              bed.cluster(),
              (method, arguments, call) -> {
                Object answer = call.make();
                CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
                    .execute(() -> session.get().interrupt());
                return answer;
              });
      session.set(bed.session(interruptedMeanwhile));
      CompletableFuture<RunEnd> ended = bed.start(session.get());
      await().until(() -> session.get().counts().sent() == TASKS);
      givenUpBut(bed, Positions.of(0));
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      assertThat(bed.results()).isEmpty();
      var unused = bed.reliable.runs().cancel(bed.identity.run(), bed.time.serviceMillis());

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.CANCELLED);

      assertOnlyTheRecordedOneIsLost(bed);
    }
  }

  @Test
  void error_told_of_a_child_is_its_own_tasks_and_not_its_parents() throws Exception {
    try (SessionBed bed = bed()) {
      CompletableFuture<RunEnd> ended = sent(bed);
      TreeMap<Integer, Child> children = new TreeMap<>();
      children.put(1, new Child(Positions.of(1, 3), true));
      done(bed, bundle(bed), Positions.of(0, 2), children);

      send(bed, batch(bed, BundleIds.child(bundle(bed), 1), "it cannot be read"));
      await().until(() -> bed.statistics.done() == 2);
      send(bed, batch(bed, bundle(bed), "", 0, 2));

      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(2);
      assertThat(bed.count(TaskStatus.FAILED)).isEqualTo(2);
      assertThat(bed.results().stream().filter(line -> line.contains("cannot be read")))
          .allMatch(line -> line.contains("\"index\":1,") || line.contains("\"index\":3,"))
          .hasSize(2);
    }
  }

  @Test
  void response_queue_that_is_refused_for_a_while_ends_no_client() throws Exception {
    try (SessionBed bed = bed()) {
      Refusing policy = new Refusing(bed.cluster());
      CompletableFuture<RunEnd> ended = sent(bed, policy.cluster());
      send(bed, batch(bed, bundle(bed), "", 0));
      await().until(() -> bed.count(TaskStatus.SUCCEEDED) == 1);
      policy.refuse("responses.receive", "sqs:ReceiveMessage", bed.entry().responseQueue());
      // A long poll that is under way was allowed, and lasts: what it brings ends it.
      send(bed, batch(bed, bundle(bed), "", 1));
      await().until(() -> policy.refusals("responses.receive") > 1);
      policy.allow("responses.receive");
      send(bed, batch(bed, bundle(bed), "", 2, 3));

      assertThat(ended.get()).isEqualTo(RunEnd.COMPLETE);
    }
  }
}
