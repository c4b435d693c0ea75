package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Results in the blob store that a policy does not let the client read, with its time by hand, and
 * results that cannot be written.
 */
class UnreadableResultsTest {
  private static final int TASKS = 3;
  private static final String BUNDLE = BundleIds.of("r", "e", 0);
  private static final RunOptions OPTIONS =
      new RunOptions(
          "r",
          Consistency.EXACTLY_ONCE,
          1024,
          2,
          0,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          new LeaseSettings(3_600_000, 1_800_000, 500));

  private final ManualTime time = new ManualTime();
  private final MemoryCloud cloud = new MemoryCloud(time);
  private final Refusing policy = new Refusing(cloud.setup("Q"));
  private final RunOutcome outcome = new RunOutcome();
  private final RunAccount account = new RunAccount(OPTIONS, "e", time);
  private final List<TaskResult> written = new ArrayList<>();
  private RunLease lease;
  private Follower follower;
  private ResultIntake intake;
  private boolean broken;

  private final FollowUp followUp =
      new FollowUp() {
        @Override
        public Map<String, Claim> claims(Collection<String> ids) {
          return Map.of();
        }

        @Override
        public List<Task> tasks(SentBundle bundle) {
          return List.of();
        }

        @Override
        public boolean resend(String bundle, SentBundle sent, List<Task> tasks) {
          throw new AssertionError("sent again: " + bundle);
        }
      };

  private final ResultSink sink =
      new ResultSink() {
        @Override
        public void accept(
            BundleTimes times, String worker, int attempt, TaskResult result, long offset) {
          if (broken) {
            throw new IllegalStateException("planted");
          }
          written.add(result);
        }

        @Override
        public void flushAndSync() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void sendOneBundle() throws InterruptedException {
    long now = time.serviceMillis();
    RunEntry entry =
        new RunEntry(
            "r",
            "e",
            RunEntry.State.OPEN,
            Consistency.EXACTLY_ONCE,
            "Q-response-c",
            "c",
            "host, process 7",
            now + OPTIONS.lease().lease(),
            "",
            TASKS,
            0,
            Map.of(),
            RemainingWork.UNKNOWN,
            now,
            now);
    assertThat(policy.cluster().runs().create(entry)).isTrue();
    lease =
        new RunLease(
            policy.cluster().runs(),
            entry,
            time.now(),
            OPTIONS.lease(),
            time,
            () -> new RunLease.Progress(TASKS, TASKS, Map.of(), RemainingWork.UNKNOWN),
            outcome);
    ResultRecorder recorder =
        new ResultRecorder(sink, new RunStatistics(0, calls -> 0), Journal.none(), time);
    RunBlobs blobs = new RunBlobs(policy.cluster().blobs(), OPTIONS, Journal.none(), false);
    intake =
        new ResultIntake(
            account.collecting(),
            recorder,
            new ArrivingFiles(blobs, "r", CollectRule.NONE, sink.files(), ordinal -> false, time));
    follower =
        new Follower(
            account.collecting(),
            outcome,
            lease,
            recorder,
            intake,
            new StoredResults(blobs, "r"),
            followUp,
            time,
            false);
    SentBundle bundle =
        account
            .sending()
            .make(
                TASKS,
                false,
                Double.NaN,
                (sequence, first) ->
                    new SentBundle(sequence, first, TASKS, 0, 1, List.of(), 0, 0, 0, 0));
    account.sending().sending(bundle);
    account.sending().sent(bundle);
  }

  @AfterEach
  void close() throws InterruptedException {
    lease.close();
  }

  private static ResultBatch batch(int... ordinals) {
    return new ResultBatch(
        "r",
        "e",
        BUNDLE,
        new ResultBatch.WorkerId("w", 1, 0),
        1,
        "nonce",
        new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
        IntStream.of(ordinals)
            .mapToObj(i -> TaskResult.notRun(i, "" + (i + 1), TaskStatus.SUCCEEDED, "", 7))
            .toList(),
        List.of(),
        "");
  }

  /** What a message says whose only result lies in the blob store. */
  private static ResultBatch stored(int ordinal) {
    return batch(ordinal).storedUnder(BlobKeys.out("r", BUNDLE, "nonce", ordinal));
  }

  private CompletenessEffect.FetchResults look() {
    int[] all = IntStream.range(0, TASKS).toArray();
    Claim done =
        new Claim(
            BUNDLE,
            ClaimState.DONE,
            "w",
            "nonce",
            1,
            3,
            0,
            0,
            Positions.range(0, TASKS),
            Positions.range(0, TASKS),
            new TreeMap<>(),
            0);
    return new CompletenessEffect.FetchResults(all, all, done);
  }

  @Test
  void result_that_may_not_be_read_is_asked_for_again_for_a_minute_and_then_its_task_is_lost() {
    policy.refuse("blobs.get", "s3:GetObject", "bucket/Q/*");
    assertThatThrownBy(() -> follower.whole(stored(1))).isInstanceOf(RefusedException.class);
    time.advance(Duration.ofSeconds(59));
    assertThatThrownBy(() -> follower.whole(stored(1))).isInstanceOf(RefusedException.class);

    time.advance(Duration.ofSeconds(1));
    List<TaskResult> results = follower.whole(stored(1)).orElseThrow().results();

    assertThat(results).hasSize(1);
    assertThat(results.getFirst().ordinal()).isEqualTo(1);
    assertThat(results.getFirst().status()).isEqualTo(TaskStatus.LOST);
    assertThat(results.getFirst().error())
        .contains("s3:GetObject on bucket 'bucket/Q/*' was denied");
  }

  @Test
  void result_that_may_be_read_within_the_minute_is_the_result() {
    cloud.cluster("Q").blobs().put(stored(1).stored(), ResultCodec.encode(batch(1)));
    policy.refuse("blobs.get", "s3:GetObject", "bucket/Q/*");
    assertThatThrownBy(() -> follower.whole(stored(1))).isInstanceOf(RefusedException.class);
    time.advance(Duration.ofMinutes(2));
    policy.allow("blobs.get");

    List<TaskResult> results = follower.whole(stored(1)).orElseThrow().results();

    assertThat(results).extracting(TaskResult::status).containsExactly(TaskStatus.SUCCEEDED);
  }

  @Test
  void task_that_has_its_result_already_is_not_lost() {
    var unused = account.collecting().sort(batch(1), 0);
    policy.refuse("blobs.get", "s3:GetObject", "bucket/Q/*");
    assertThatThrownBy(() -> follower.whole(stored(1))).isInstanceOf(RefusedException.class);
    time.advance(Duration.ofMinutes(1));

    assertThat(follower.whole(stored(1)).orElseThrow().results()).isEmpty();
  }

  @Test
  void results_that_may_not_be_looked_for_are_lost_with_the_action_as_their_reason() {
    policy.refuse("blobs.list", "s3:ListBucket", "bucket");
    CompletenessEffect.FetchResults look = look();

    follower.follow(List.of(look));
    time.advance(Duration.ofMinutes(1));
    follower.follow(List.of(look));
    assertThat(written).isEmpty();
    follower.follow(List.of(new CompletenessEffect.FinalLost(look.ordinals())));

    assertThat(written).hasSize(TASKS);
    assertThat(written)
        .allMatch(result -> result.status() == TaskStatus.LOST)
        .allMatch(result -> result.error().contains("s3:ListBucket on bucket 'bucket' was denied"));
  }

  private void accept(ResultBatch batch) {
    try (ArrivingFiles.Arrival arrival = intake.arrival(batch)) {
      intake.accept(arrival, 1, 1, 1);
    }
  }

  /**
   * A copy of it is a duplicate by then: its message would be deleted, and the result be nowhere.
   */
  @Test
  void result_that_could_not_be_written_is_never_confirmed() {
    broken = true;
    assertThatThrownBy(() -> accept(batch(1))).hasMessage("planted");
    broken = false;

    accept(batch(1));

    assertThat(written).isEmpty();
    assertThatThrownBy(intake::sync).hasMessageContaining("results were not written");
  }
}
