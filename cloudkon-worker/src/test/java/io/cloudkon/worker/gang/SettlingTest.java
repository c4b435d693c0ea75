package io.cloudkon.worker.gang;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.PlayedMpiexec;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results of jobs; what is made of them is made when the test says so. */
@Timeout(60)
class SettlingTest {
  private static final Positions THE_JOB = Positions.range(0, 1);

  private final RankBed bed = new RankBed();
  private final List<List<String>> ordered = new CopyOnWriteArrayList<>();
  private final AtomicInteger launched = new AtomicInteger();
  private final MpiLaunches launches =
      bed.launches((around, task, interruption, job) -> {
        String output = "output " + launched.incrementAndGet();
        PlayedMpiexec.prints(job, "p0", "p1");
        return PlayedMpiexec.untilTrouble(job, interruption, output);
      });
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final ManagedGang gang = new ManagedGang("g", "s3cr3t");
  private final Settling settling =
      new Settling(launches, new WorkerStats(), bed.inbox, bed.time, later::add);

  @AfterEach
  void close() throws Exception {
    launches.close();
    bed.close();
  }

  private static BundleInHand job(int number, int retries) {
    String id = "run/e/" + number;
    BundleHeader header =
        new BundleHeader("run", "e", id, "Q-r", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    Task task = new Task(0, "t", new Work.Hpc(2, true, RankBed.COMMAND), 0, retries);
    return new BundleInHand(number, new Bundle(header, List.of(task)), "h", 1, "n", 0, 0);
  }

  private void launch(BundleInHand job) {
    int before = ordered.size();
    gang.begins(job.header().bundle(), 1, Map.of("a", List.of(0), "b", List.of(1)), 1024);
    launches.launch("g", job, 1, 2, ordered::add);
    await().until(() -> ordered.size() > before);
  }

  private void settle(BundleInHand job, Verdict verdict) {
    settling.settle(new GangEffect.Settle(job.key(), "g", verdict), job, gang);
  }

  private static String output(BundleInHand job) {
    return new String(result(job).stdout(), UTF_8);
  }

  private static TaskResult result(BundleInHand job) {
    return job.results(THE_JOB).getFirst();
  }

  private BundleEvent.Finished finished(BundleInHand job) throws InterruptedException {
    GangEvent.OfBundle told = (GangEvent.OfBundle) bed.told.manager();
    assertThat(told.job()).isEqualTo(job.key());
    return (BundleEvent.Finished) told.event();
  }

  @Test
  void next_job_of_a_gang_takes_nothing_from_the_one_that_is_being_settled() throws Exception {
    BundleInHand first = job(0, 0);
    BundleInHand second = job(1, 0);
    launch(first);
    gang.ended(RankEnds.end("run/e/0", 1, 0, "SUCCEEDED"));
    gang.ended(RankEnds.end("run/e/0", 1, 1, "FAILED"));
    launches.stop("g");
    settle(first, new Verdict.RankFailed(1));
    launch(second);

    later.remove().run();

    assertThat(output(first)).isEqualTo("output 1");
    assertThat(result(first).ranks()).extracting("worker").containsExactly("a", "b");
    assertThat(finished(first).failed()).isEqualTo(THE_JOB);
    launches.stop("g");
    settle(second, new Verdict.RankFailed(0));
    later.remove().run();
    assertThat(output(second)).isEqualTo("output 2");
  }

  @Test
  void job_of_which_no_result_can_be_made_has_failed_and_says_why() throws Exception {
    BundleInHand job = job(0, 0);
    gang.begins("run/e/0", 1, Map.of("a", List.of(0, 1)), 1024);
    AtomicInteger asked = new AtomicInteger();
    Settling broken =
        new Settling(
            launches, new WorkerStats(), bed.inbox, new BrokenOnce(bed.time, asked), Runnable::run);

    broken.settle(new GangEffect.Settle(0, "g", new Verdict.Succeeded()), job, gang);

    assertThat(finished(job).failed()).isEqualTo(THE_JOB);
    assertThat(result(job).status()).isEqualTo(TaskStatus.FAILED);
    assertThat(result(job).error())
        .isEqualTo(
            "its manager could not make its result: java.lang.NoClassDefFoundError: planted");
  }

  /** Of which the first question for the wall clock breaks. */
  private record BrokenOnce(TimeSource whole, AtomicInteger asked) implements TimeSource {
    @Override
    public long monotonicNanos() {
      return whole.monotonicNanos();
    }

    @Override
    public long wallMicros() {
      if (asked.getAndIncrement() == 0) {
        throw new NoClassDefFoundError("planted");
      }
      return whole.wallMicros();
    }

    @Override
    public long serviceMillis() {
      return whole.serviceMillis();
    }
  }

  @Test
  void job_that_ran_nowhere_has_a_result() throws Exception {
    BundleInHand job = job(0, 0);

    settling.settle(
        new GangEffect.Settle(
            0, GangEffect.Settle.NO_GANG, new Verdict.TooLarge(new RankLimit.Option(1))),
        job,
        null);
    later.remove().run();

    assertThat(finished(job).failed()).isEqualTo(THE_JOB);
    assertThat(result(job).error()).isEqualTo("it has 2 ranks, but --max-ranks allows 1");
  }

  @Test
  void tries_are_counted() throws Exception {
    BundleInHand job = job(0, 1);
    gang.begins("run/e/0", 1, Map.of("a", List.of(0, 1)), 1024);

    settle(job, new Verdict.RankFailed(1));
    later.remove().run();

    assertThat(finished(job).failed()).isEqualTo(THE_JOB);
    assertThat(job.nextTry(0)).isEqualTo(2);
    gang.begins("run/e/0", 1, Map.of("a", List.of(0, 1)), 1024);
    settle(job, new Verdict.Succeeded());
    later.remove().run();
    assertThat(finished(job).failed()).isEqualTo(Positions.none());
    assertThat(result(job).tries()).isEqualTo(2);
  }
}
