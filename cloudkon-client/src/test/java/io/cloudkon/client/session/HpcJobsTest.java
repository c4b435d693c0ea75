package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.SlotTimes;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.Intercepted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs with HPC jobs, as their client sees them: the test itself plays the managers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HpcJobsTest {
  private static final Duration HIDDEN = Duration.ofMinutes(5);

  @TempDir Path temp;

  private SessionBed bed(Consistency mode, ClaimScope claim, List<String> lines) throws Exception {
    return new SessionBed(
        Misbehaviour.none(), mode, claim, lines, new BundlerSettings(3, 20, 60 * 1024, true), temp);
  }

  /** Every third line is a job. */
  private static List<String> mixed(int lines) {
    return IntStream.range(0, lines)
        .mapToObj(i -> i % 3 == 2 ? "hpc 4 java echo " + i : "java echo " + i)
        .toList();
  }

  /** Takes so many jobs out of their queue. */
  private static List<Bundle> receive(SessionBed bed, int jobs) {
    List<Bundle> received = new ArrayList<>();
    await()
        .until(() -> {
          for (ReceivedMessage message :
              bed.reliable.hpc().jobs().receive(10, Duration.ZERO, HIDDEN)) {
            received.add(BundleCodec.decode(message.payload()));
          }
          return received.size() >= jobs;
        });
    assertThat(received).hasSize(jobs);
    return received;
  }

  private static ResultBatch result(Bundle job) {
    Task task = job.tasks().getFirst();
    byte[] nothing = {};
    List<RankResult> ranks =
        IntStream.range(0, ((Work.Hpc) task.work()).ranks())
            .mapToObj(rank -> new RankResult(rank, "m", 0, new byte[] {'x'}, nothing))
            .toList();
    TaskResult result =
        new TaskResult(
            task.ordinal(),
            task.id(),
            TaskStatus.SUCCEEDED,
            0,
            nothing,
            0,
            nothing,
            0,
            nothing,
            0,
            "",
            10,
            20,
            1,
            ranks);
    return new ResultBatch(
        job.header().run(),
        job.header().epoch(),
        job.header().bundle(),
        new ResultBatch.WorkerId("m", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        List.of(result),
        List.of(),
        "");
  }

  private static void answer(SessionBed bed, Bundle job) {
    assertThat(
            bed.reliable
                .responses()
                .send(
                    job.header().responseQueue(),
                    List.of(new OutgoingMessage(Map.of(), ResultCodec.encode(result(job))))))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void jobs_go_to_their_own_queue_each_with_one_claim_and_have_a_line_each(Consistency mode)
      throws Exception {
    ClaimScope scope = mode == Consistency.AT_LEAST_ONCE ? ClaimScope.BUNDLE : ClaimScope.TASK;
    try (SessionBed bed = bed(mode, scope, mixed(30))) {
      CompletableFuture<RunEnd> ended = bed.start(bed.session(bed.cluster()));
      bed.worker();

      List<Bundle> jobs = receive(bed, 10);
      assertThat(jobs)
          .allSatisfy(job -> {
            assertThat(job.tasks()).hasSize(1);
            assertThat(job.header().claim()).isEqualTo(ClaimScope.BUNDLE);
            assertThat(job.header().consistency()).isEqualTo(mode);
          });
      assertThat(jobs.stream().map(job -> job.tasks().getFirst().ordinal()).sorted())
          .containsExactlyElementsOf(IntStream.range(0, 10).map(i -> 3 * i + 2).boxed().toList());
      jobs.forEach(job -> answer(bed, job));

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(30);
      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(30);
      assertThat(bed.results().stream().filter(line -> line.contains("\"ranks\":[")))
          .hasSize(10)
          .allMatch(line -> line.contains("{\"rank\":3,\"worker\":\"m\",\"exitCode\":0"));
    }
  }

  @Test
  void jobs_that_gather_while_a_send_is_under_way_are_sent_ten_at_a_time() throws Exception {
    List<String> lines = IntStream.range(0, 100).mapToObj(i -> "hpc 2 noop").toList();
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE, ClaimScope.BUNDLE, lines)) {
      Queue<Integer> batches = new ConcurrentLinkedQueue<>();
      CountDownLatch gathered = new CountDownLatch(1);
      RunSession session =
          bed.session(
              Intercepted.jobs(
                  bed.cluster(),
                  (method, arguments, call) -> {
                    if (method.equals("send")) {
                      gathered.await();
                      batches.add(((List<?>) arguments[0]).size());
                    }
                    return call.make();
                  }));
      CompletableFuture<RunEnd> ended = bed.start(session);
      // Two lanes are at work, and as many jobs wait behind them as may.
      await().until(() -> session.counts().tasks() >= 22);
      gathered.countDown();
      receive(bed, 100).forEach(job -> answer(bed, job));

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(batches).contains(10);
      assertThat(batches.stream().mapToInt(size -> size)).allMatch(size -> size <= 10);
    }
  }

  @Test
  void resumed_run_sends_what_is_left_to_the_queue_of_jobs() throws Exception {
    try (SessionBed bed = bed(Consistency.AT_LEAST_ONCE, ClaimScope.BUNDLE, mixed(30))) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == 30);
      session.interrupt();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      // As if none of its sends had been confirmed.
      Path journal = bed.folder.resolve("journal");
      List<String> kept =
          Files.readAllLines(journal).stream()
              .filter(line -> !line.startsWith("confirmed"))
              .toList();
      assertThat(kept.stream().filter(line -> line.startsWith("job "))).hasSize(10);
      Files.write(journal, kept);
      List<Bundle> first = receive(bed, 10);
      bed.worker();

      CompletableFuture<RunEnd> resumed =
          CompletableFuture.supplyAsync(() -> {
            try {
              return bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      List<Bundle> again = receive(bed, 10);
      assertThat(again.stream().map(job -> job.header().bundle()))
          .containsExactlyInAnyOrderElementsOf(
              first.stream().map(job -> job.header().bundle()).toList());
      again.forEach(job -> answer(bed, job));

      assertThat(resumed.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(30);
    }
  }

  /** Its entry says so, first as its lines do, and after a resume as its journal does. */
  @Test
  void entry_knows_the_jobs_that_are_left_from_the_first_on_and_after_a_resume() throws Exception {
    List<String> lines = List.of("sleep 20", "hpc 8 noop", "hpc 2 noop", "hpc 6 noop");
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE, ClaimScope.BUNDLE, lines)) {
      Queue<RunEntry> created = new ConcurrentLinkedQueue<>();
      RunSession session =
          bed.session(
              Intercepted.runs(
                  bed.cluster(),
                  (method, arguments, call) -> {
                    if (method.equals("create")) {
                      created.add((RunEntry) arguments[0]);
                    }
                    return call.make();
                  }));
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == 4);
      assertThat(created)
          .extracting(RunEntry::remaining)
          .containsExactly(
              new RemainingWork(
                  0, new SlotTimes(20_000, 1), 3, 8, Set.of(Work.Kind.NOOP, Work.Kind.SLEEP)));
      await().until(() -> bed.entry().remaining().bundles() == 1);

      List<Bundle> jobs = receive(bed, 3);
      Bundle wide = ofRanks(jobs, 8);
      answer(bed, wide);

      await().until(() -> bed.entry().remaining().jobs() == 2);
      assertThat(bed.entry().remaining().widestJob()).isEqualTo(6);
      session.interrupt();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);

      CompletableFuture<RunEnd> resumed =
          CompletableFuture.supplyAsync(() -> {
            try {
              return bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      answer(bed, ofRanks(jobs, 6));
      await().until(() -> bed.entry().remaining().widestJob() == 2);
      assertThat(bed.entry().remaining().jobs()).isEqualTo(1);
      answer(bed, ofRanks(jobs, 2));
      bed.worker();

      assertThat(resumed.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.entry().remaining().jobs()).isZero();
      assertThat(bed.entry().remaining().widestJob()).isZero();
      assertThat(bed.entry().remaining().bundles()).isZero();
    }
  }

  private static Bundle ofRanks(List<Bundle> jobs, int ranks) {
    return jobs.stream()
        .filter(job -> ((Work.Hpc) job.tasks().getFirst().work()).ranks() == ranks)
        .findFirst()
        .orElseThrow();
  }

  /** Tasks of such runs have no claims; the job has, and its manager found no queue. */
  @ParameterizedTest
  @EnumSource(Consistency.class)
  void result_of_a_silent_job_that_is_done_comes_from_the_blob_store(Consistency mode)
      throws Exception {
    ClaimScope scope = mode == Consistency.AT_LEAST_ONCE ? ClaimScope.BUNDLE : ClaimScope.TASK;
    try (SessionBed bed = bed(mode, scope, List.of("hpc 2 noop"))) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == 1);
      Bundle job = receive(bed, 1).getFirst();
      String id = BundleIds.of(bed.identity.run(), bed.identity.epoch(), 0);
      String key = BlobKeys.out(bed.identity.run(), id, "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(result(job)));
      done(bed, id);

      // Whoever finds its queue gone looks at all that is open.
      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(1);
      assertThat(bed.reliable.hpc().jobs().depth().waiting()).as("not sent again").isZero();
    }
  }

  private static void done(SessionBed bed, String id) {
    long now = bed.time.serviceMillis();
    Positions only = Positions.of(0);
    ClaimStore store = bed.reliable.claims();
    assertThat(
            store.acquire(
                new Acquisition(
                    id, Acquisition.Mode.FRESH, "m", "n", now + 60_000, 0, 0, only, now)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(
            store.write(
                new ClaimWrite(
                    id,
                    1,
                    "n",
                    1,
                    ClaimState.LEASED,
                    ClaimState.DONE,
                    now,
                    0,
                    only,
                    only,
                    new TreeMap<>(),
                    now / 1000 + 3_600)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
  }
}
