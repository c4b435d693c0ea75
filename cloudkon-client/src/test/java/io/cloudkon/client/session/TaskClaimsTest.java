package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunEnd;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose tasks have a claim each. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class TaskClaimsTest {
  private static final int TASKS = 60;

  @TempDir Path temp;

  private SessionBed bed(Consistency mode, int perBundle, int tasks, Misbehaviour cloud)
      throws Exception {
    return new SessionBed(
        cloud,
        mode,
        ClaimScope.TASK,
        IntStream.range(0, tasks).mapToObj(i -> "java echo " + i).toList(),
        new BundlerSettings(perBundle, 20, 60 * 1024, true),
        temp);
  }

  private static String bundle(SessionBed bed, int sequence) {
    return BundleIds.of(bed.identity.run(), bed.identity.epoch(), sequence);
  }

  private static Map<String, Claim> claims(SessionBed bed, int perBundle) {
    return bed.reliable
        .claims()
        .read(
            IntStream.range(0, TASKS)
                .mapToObj(i -> BundleIds.taskClaim(bundle(bed, i / perBundle), i % perBundle))
                .toList());
  }

  @ParameterizedTest
  @CsvSource({"AT_MOST_ONCE,1", "AT_MOST_ONCE,7", "EXACTLY_ONCE,1", "EXACTLY_ONCE,7"})
  void each_task_has_its_result_and_a_claim_that_is_done(Consistency mode, int perBundle)
      throws Exception {
    try (SessionBed bed = bed(mode, perBundle, TASKS, Misbehaviour.none())) {
      bed.worker();
      bed.worker();

      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      await()
          .untilAsserted(() ->
              assertThat(claims(bed, perBundle).values())
                  .hasSize(TASKS)
                  .allMatch(claim -> claim.state() == ClaimState.DONE));
      assertThat(bed.reliable.claims().read(List.of(bundle(bed, 0)))).isEmpty();
      bed.assertNothingIsLeft();
    }
  }

  @Test
  void run_in_a_storm_of_faults_has_one_result_for_each_task() throws Exception {
    try (SessionBed bed = bed(Consistency.EXACTLY_ONCE, 7, TASKS, Misbehaviour.storm(3))) {
      bed.worker();
      bed.worker();

      assertThat(bed.run(bed.session(bed.cluster()))).isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.tasksWithResults()).doesNotHaveDuplicates().hasSize(TASKS);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
    }
  }

  @Test
  void resumed_run_asks_for_the_same_claims() throws Exception {
    try (SessionBed bed = bed(Consistency.AT_MOST_ONCE, 5, TASKS, Misbehaviour.none())) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == TASKS);
      session.interrupt();
      assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(RunEnd.INTERRUPTED);
      Takeover.Taken taken = bed.takeOver(bed.cluster(), bed.folder);
      assertThat(taken.identity().epoch()).isEqualTo(bed.identity.epoch());
      bed.worker();

      assertThat(bed.resume(bed.cluster(), bed.folder, SessionOptions.NONE))
          .isEqualTo(RunEnd.COMPLETE);

      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(TASKS);
      await().until(() -> claims(bed, 5).size() == TASKS);
    }
  }

  /** Of two tasks that are done, one's result lies in the blob store, the other's nowhere. */
  @Test
  void result_of_a_done_task_comes_from_the_blob_store_or_is_lost() throws Exception {
    try (SessionBed bed = bed(Consistency.AT_MOST_ONCE, 2, 2, Misbehaviour.none())) {
      RunSession session = bed.session(bed.cluster());
      CompletableFuture<RunEnd> ended = bed.start(session);
      await().until(() -> session.counts().sent() == 2);
      done(bed, BundleIds.taskClaim(bundle(bed, 0), 0));
      done(bed, BundleIds.taskClaim(bundle(bed, 0), 1));
      String key = BlobKeys.out(bed.identity.run(), bundle(bed, 0), "nonce", 0);
      bed.reliable.blobs().put(key, ResultCodec.encode(result(bed)));

      // Whoever finds its queue gone looks at all that is open.
      bed.reliable.responses().remove(bed.identity.responseQueue());

      assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(RunEnd.COMPLETE);
      assertThat(bed.count(TaskStatus.SUCCEEDED)).isEqualTo(1);
      assertThat(bed.count(TaskStatus.LOST)).isEqualTo(1);
    }
  }

  private static ResultBatch result(SessionBed bed) {
    return new ResultBatch(
        bed.identity.run(),
        bed.identity.epoch(),
        bundle(bed, 0),
        new ResultBatch.WorkerId("w", 4, 1),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        List.of(TaskResult.notRun(0, "1", TaskStatus.SUCCEEDED, "", 7)),
        List.of(),
        "");
  }

  private static void done(SessionBed bed, String id) {
    long now = bed.time.serviceMillis();
    Positions only = Positions.of(0);
    ClaimStore store = bed.reliable.claims();
    assertThat(
            store.acquire(
                new Acquisition(
                    id, Acquisition.Mode.FRESH, "w", "n", now + 60_000, 0, 0, only, now)))
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
