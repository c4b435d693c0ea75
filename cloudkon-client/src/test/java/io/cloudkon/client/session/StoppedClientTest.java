package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.Intercepted;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that wake past their lease, in a call, and whose run is another's by then. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StoppedClientTest {
  private static final int TASKS = 4;

  @TempDir Path temp;

  /** One bundle of four tasks, which no worker has. */
  private SessionBed bed(Consistency consistency) throws Exception {
    return new SessionBed(
        Misbehaviour.none(),
        consistency,
        Collections.nCopies(TASKS, "noop"),
        new BundlerSettings(TASKS, 20, 60 * 1024, true),
        temp);
  }

  private static String bundle(SessionBed bed) {
    return BundleIds.of(bed.identity.run(), bed.identity.epoch(), 0);
  }

  private static byte[] results(SessionBed bed, TaskStatus status) {
    return ResultCodec.encode(
        new ResultBatch(
            bed.identity.run(),
            bed.identity.epoch(),
            bundle(bed),
            new ResultBatch.WorkerId("w", 4, 1),
            1,
            "nonce",
            new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
            IntStream.range(0, TASKS)
                .mapToObj(i -> TaskResult.notRun(i, "" + (i + 1), status, "", 7))
                .toList(),
            List.of(),
            ""));
  }

  private static void reply(SessionBed bed, TaskStatus status) {
    assertThat(
            bed.reliable
                .responses()
                .send(
                    bed.entry().responseQueue(),
                    List.of(new OutgoingMessage(Map.of(), results(bed, status)))))
        .isEmpty();
  }

  /** Its worker has recorded everything. */
  private static void done(SessionBed bed) {
    Positions all = Positions.range(0, TASKS);
    long now = bed.time.serviceMillis();
    Acquisition mine =
        new Acquisition(
            bundle(bed),
            Acquisition.Mode.TAKE_OVER,
            "w",
            "n",
            now + 60_000,
            0,
            0,
            Positions.none(),
            now);
    assertThat(bed.reliable.claims().acquire(mine)).isInstanceOf(ClaimAnswer.Accepted.class);
    ClaimWrite end =
        new ClaimWrite(
            bundle(bed),
            1,
            "n",
            1,
            ClaimState.LEASED,
            ClaimState.DONE,
            now,
            0,
            all,
            all,
            new TreeMap<>(),
            now / 1000 + 3_600);
    assertThat(bed.reliable.claims().write(end)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private static CompletableFuture<RunEnd> sent(SessionBed bed, RunSession session) {
    CompletableFuture<RunEnd> ended = bed.start(session);
    await().until(() -> session.counts().sent() == TASKS);
    return ended;
  }

  private static void assertEndsForAnother(CompletableFuture<RunEnd> ended) {
    assertThatThrownBy(() -> ended.get(40, TimeUnit.SECONDS))
        .hasMessageContaining("is now collected by another client, elsewhere (client other)");
  }

  private static void assertWroteNothing(SessionBed bed) throws Exception {
    assertThat(bed.results()).isEmpty();
    List<JournalEntry> written = new ArrayList<>();
    try (Journal journal = RunFolder.resume(bed.folder).openJournal()) {
      journal.read(written::add);
    }
    assertThat(written)
        .isNotEmpty()
        .noneMatch(
            e -> e instanceof JournalEntry.ProvisionallyLost || e instanceof JournalEntry.Ended);
  }

  @Test
  void results_that_it_has_found_in_the_blob_store_are_not_written() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      Cluster stops =
          Intercepted.blobs(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("get")) {
                  still.stop();
                }
                return answer;
              });
      CompletableFuture<RunEnd> ended = sent(bed, still.session(stops));
      String key = BlobKeys.out(bed.identity.run(), bundle(bed), "nonce", 0);
      bed.reliable.blobs().put(key, results(bed, TaskStatus.SUCCEEDED));
      done(bed);

      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertEndsForAnother(ended);
      assertWroteNothing(bed);
    }
  }

  @Test
  void claims_that_it_has_read_have_no_consequence() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      AtomicBoolean looked = new AtomicBoolean();
      Cluster stops =
          Intercepted.claims(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                Object answer = call.make();
                still.stop();
                return answer;
              });
      Cluster watched =
          Intercepted.blobs(
              stops,
              (method, arguments, call) -> {
                looked.set(true);
                return call.make();
              });
      CompletableFuture<RunEnd> ended = sent(bed, still.session(watched));
      done(bed);

      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertEndsForAnother(ended);
      assertThat(looked).isFalse();
      assertWroteNothing(bed);
    }
  }

  @Test
  void receive_that_brings_nothing_ends_no_wait_for_late_results() throws Exception {
    try (SessionBed bed = bed(Consistency.AT_MOST_ONCE)) {
      Standstill still = new Standstill(bed);
      AtomicBoolean lost = new AtomicBoolean();
      Cluster stops =
          Intercepted.responses(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                if (!method.equals("receive") || !lost.get()) {
                  Object answer = call.make();
                  lost.compareAndSet(false, method.equals("delete"));
                  return answer;
                }
                still.stop();
                return List.of();
              });
      CompletableFuture<RunEnd> ended = sent(bed, still.session(stops));

      reply(bed, TaskStatus.LOST);

      assertEndsForAnother(ended);
      assertThat(bed.results()).isEmpty();
    }
  }

  @Test
  void cancelled_run_is_left_to_whoever_settles_it_now() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      Cluster stops =
          Intercepted.responses(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("receive") && bed.state() == RunEntry.State.CANCELLED) {
                  still.stop();
                }
                return answer;
              });
      RunSession session = still.session(stops);
      CompletableFuture<RunEnd> ended = sent(bed, session);

      session.cancel();

      assertEndsForAnother(ended);
      assertWroteNothing(bed);
      assertThat(bed.reliable.responses().list()).hasSize(1);
    }
  }

  // ---- response queues

  private static Collection<String> queues(SessionBed bed) {
    return bed.reliable.responses().list();
  }

  @Test
  void run_that_was_taken_before_its_queue_was_made_gets_none() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      AtomicBoolean made = new AtomicBoolean();
      Cluster stops =
          Intercepted.runs(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("create")) {
                  still.stop();
                }
                return answer;
              });
      Cluster watched =
          Intercepted.responses(
              stops,
              (method, arguments, call) -> {
                made.compareAndSet(false, method.equals("create"));
                return call.make();
              });

      assertEndsForAnother(bed.start(still.session(watched)));

      assertThat(made).isFalse();
      assertThat(bed.folder).doesNotExist();
    }
  }

  @Test
  void run_that_was_taken_while_its_queue_was_made_keeps_none() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);

      String queue = bed.identity.responseQueue();

      assertEndsForAnother(bed.start(still.session(stopsWhileItMakes(bed, still, queue, queue))));

      assertThat(queues(bed)).isEmpty();
      assertThat(bed.folder).doesNotExist();
    }
  }

  /** It is stopped before its call to make this queue arrives; the run names the next one then. */
  private static Cluster stopsWhileItMakes(
      SessionBed bed, Standstill still, String made, String next) {
    return Intercepted.responses(
        still.seen(bed.reliable),
        (method, arguments, call) -> {
          if (method.equals("create") && made.equals(arguments[0])) {
            still.stop(next);
          }
          return call.make();
        });
  }

  @Test
  void queue_in_place_of_one_that_is_gone_is_not_made_for_another() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      Cluster stops =
          Intercepted.runs(
              still.seen(bed.reliable),
              (method, arguments, call) -> {
                Object answer = call.make();
                if (method.equals("update")
                    && ((RunEntry) arguments[0]).responseQueue().endsWith("-1")) {
                  still.stop("Q-response-other-1");
                }
                return answer;
              });
      CompletableFuture<RunEnd> ended = sent(bed, still.session(stops));

      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertEndsForAnother(ended);
      assertThat(queues(bed)).isEmpty();
    }
  }

  @Test
  void queue_that_was_made_too_late_is_removed_if_the_run_names_another() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      String late = bed.identity.responseQueue() + "-1";
      CompletableFuture<RunEnd> ended =
          sent(bed, still.session(stopsWhileItMakes(bed, still, late, "Q-response-other-1")));

      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertEndsForAnother(ended);
      assertThat(queues(bed)).isEmpty();
    }
  }

  @Test
  void queue_that_was_made_late_stays_if_the_run_names_it() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE)) {
      Standstill still = new Standstill(bed);
      String late = bed.identity.responseQueue() + "-1";
      CompletableFuture<RunEnd> ended =
          sent(bed, still.session(stopsWhileItMakes(bed, still, late, late)));

      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertEndsForAnother(ended);
      assertThat(queues(bed)).containsExactly(late);
    }
  }
}
