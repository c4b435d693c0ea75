package io.cloudkon.worker.gang;

import static io.cloudkon.worker.gang.RankBed.GANG;
import static io.cloudkon.worker.gang.RankBed.JOB;
import static io.cloudkon.worker.gang.RankBed.order;
import static io.cloudkon.worker.gang.RankBed.outcome;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.protocol.gang.GangEvent.Ended;
import io.cloudkon.core.protocol.gang.GangEvent.How;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RankRunsTest {
  private static final Address ELSEWHERE = new Address("127.0.0.1", 1);

  private final RankBed bed = new RankBed();
  private final RankRuns runs = bed.runs;

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  private Map<Integer, RankEnd> ends(int count) throws InterruptedException {
    Map<Integer, RankEnd> ends = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      RankEnd end = bed.end();
      ends.put(end.rank(), end);
    }
    return ends;
  }

  @Test
  void ranks_run_at_the_same_time_talk_and_are_told_of() throws Exception {
    bed.runner.body =
        (place, interruption) -> {
          place.world().barrier();
          int rank = place.rank();
          place.world().send((rank + 1) % place.size(), Integer.toString(rank).getBytes(UTF_8));
          byte[] got = place.world().receive((rank + place.size() - 1) % place.size());
          return outcome(got[0] == '0' + (rank + 2) % 3 ? TaskStatus.SUCCEEDED : TaskStatus.FAILED);
        };

    runs.start(GANG, order(3));

    assertThat(ends(3).values()).hasSize(3).allMatch(end -> end.status().equals("SUCCEEDED"));
    assertThat(runs.busy()).isZero();
  }

  @Test
  void order_that_comes_twice_is_carried_out_once() throws Exception {
    runs.start(GANG, order(1));
    assertThat(ends(1)).hasSize(1);
    runs.start(GANG, order(1));
    runs.start(GANG, order(2, 1, ELSEWHERE, 0));

    assertThat(bed.end().attempt()).isEqualTo(2);
    assertThat(bed.runner.ran).containsExactly(0, 0);
  }

  @Test
  void order_is_remembered_among_the_last_thousand_of_a_gang_that_serves_on() throws Exception {
    for (int attempt = 1; attempt <= StartedAttempts.MOST + 1; attempt++) {
      runs.start(GANG, order(attempt, 1, ELSEWHERE, 0));
      assertThat(bed.end().attempt()).isEqualTo(attempt);
    }

    runs.start(GANG, order(2, 1, ELSEWHERE, 0));
    runs.start(GANG, order(1, 1, ELSEWHERE, 0));

    assertThat(bed.end().attempt()).isEqualTo(1);
    assertThat(bed.runner.ran).hasSize(StartedAttempts.MOST + 2);
  }

  // ---- ends

  @Test
  void rank_that_could_not_be_stopped_says_so_unless_its_job_would_run_beside_it()
      throws Exception {
    bed.runner.body =
        (place, interruption) -> {
          if (place.rank() == 0) {
            return outcome(TaskStatus.TIMED_OUT, 0, true);
          }
          throw new TaskInterruptedException("planted", place.rank() == 1);
        };

    runs.start(GANG, order(3));

    // The manager would start the killed job again: it waits for this worker's silence instead.
    Map<Integer, RankEnd> ends = ends(2);
    assertThat(ends.keySet()).containsExactly(0, 2);
    assertThat(ends.values().stream().map(RankEnd::status))
        .containsExactly("TIMED_OUT", "CANCELLED");
    assertThat(ends.values().stream().map(RankEnd::stuck)).containsExactly(true, false);
    await().until(() -> bed.left.get() == 1);
    assertThat(runs.busy()).isZero();
    bed.told.nothingElse();
  }

  @Test
  void rank_that_breaks_fails_and_says_that_its_worker_could_not_run_it() throws Exception {
    bed.runner.body =
        (place, interruption) -> {
          throw new OutOfMemoryError("planted");
        };

    runs.start(GANG, order(1));

    RankEnd end = bed.end();
    assertThat(end.status()).isEqualTo("FAILED");
    assertThat(end.error()).isEqualTo("its worker could not run it: java.lang.OutOfMemoryError");
    assertThat(runs.busy()).isZero();
  }

  @Test
  void job_that_cannot_be_read_fails_in_each_of_its_ranks() throws Exception {
    StartRanks whole = order(2);
    runs.start(
        GANG,
        new StartRanks(
            JOB,
            1,
            2,
            new int[] {0, 1},
            new byte[] {1},
            whole.peers(),
            whole.passes(),
            new String[0]));

    assertThat(ends(2).values())
        .hasSize(2)
        .allSatisfy(end -> {
          assertThat(end.status()).isEqualTo("FAILED");
          assertThat(end.error()).startsWith("its worker cannot read it: ");
        });
    assertThat(bed.runner.ran).isEmpty();
  }

  @Test
  void output_is_cut_to_a_ranks_share_but_where_the_job_may_show_it() throws Exception {
    bed.runner.body =
        (place, interruption) ->
            outcome(place.rank() == 3 ? TaskStatus.FAILED : TaskStatus.SUCCEEDED, 8, false);

    runs.start(GANG, order(4));

    Map<Integer, RankEnd> ends = ends(4);
    assertThat(ends.values().stream().map(end -> end.stdout().length)).containsExactly(8, 2, 2, 8);
    assertThat(ends.values().stream().map(end -> end.output().length)).containsExactly(8, 2, 2, 8);
    assertThat(ends.values()).allMatch(end -> end.stderrBytes() == 8);
  }

  @Test
  void each_output_is_cut_to_what_a_manager_gets_in_time_and_its_length_says_so() throws Exception {
    int large = EndedRanks.RANK_BYTES + 1;
    bed.runner.body = (place, interruption) -> outcome(TaskStatus.SUCCEEDED, large, false);

    runs.start(GANG, order(1));

    RankEnd end = bed.end();
    assertThat(List.of(end.stdout().length, end.stderr().length, end.output().length))
        .containsOnly(EndedRanks.RANK_BYTES);
    assertThat(List.of(end.stdoutBytes(), end.stderrBytes(), end.outputBytes()))
        .containsOnly((long) large);
  }

  @Test
  void error_of_any_length_is_cut_and_reaches_the_manager() throws Exception {
    String error = "x".repeat(70_000);
    byte[] none = {};
    bed.runner.body =
        (place, interruption) ->
            new TaskOutcome(TaskStatus.FAILED, 0, none, 0, none, 0, none, 0, error, 10, 20, false);

    runs.start(GANG, order(1));

    assertThat(bed.end().error()).isEqualTo(error.substring(0, 4_096));
    assertThat(EndedRanks.withoutOutputs(order(1), 0, "FAILED", error, 1, 2, false).error())
        .isEqualTo(error.substring(0, 4_096));
  }

  @Test
  void ends_are_kept_until_their_manager_knows() throws Exception {
    runs.start(GANG, order(2));
    List<Ended> news = ends(2).values().stream().map(EndedRanks::news).toList();
    assertThat(runs.untold().ends(GANG, news)).hasSize(2);

    runs.untold().told(GANG, news.subList(0, 1));

    assertThat(runs.untold().ends(GANG, news)).extracting(RankEnd::rank).containsExactly(1);
  }

  @Test
  void ends_of_a_gang_that_is_forgotten_are_dropped_and_those_of_others_are_not() throws Exception {
    runs.start(GANG, order(1));
    Ended news = EndedRanks.news(bed.end());
    runs.start("gang-2", order(1));
    assertThat(EndedRanks.news(bed.end())).as("told apart by its gang only").isEqualTo(news);

    runs.forget(GANG);

    assertThat(runs.untold().ends(GANG, List.of(news))).isEmpty();
    assertThat(runs.untold().ends("gang-2", List.of(news))).hasSize(1);
    runs.untold().told(GANG, List.of(news));
    assertThat(runs.untold().ends("gang-2", List.of(news))).hasSize(1);
  }

  @Test
  void report_brings_no_more_output_than_arrives_in_time_and_one_end_at_least() throws Exception {
    int mib = 1 << 20;
    bed.runner.body =
        (place, interruption) ->
            outcome(TaskStatus.FAILED, place.rank() == 0 ? 4 * mib : mib, false);
    runs.start(GANG, order(4));
    List<Ended> untold = ends(4).values().stream().map(EndedRanks::news).toList();

    assertThat(runs.untold().reportable(GANG, untold)).isEqualTo(untold.subList(0, 1));
    assertThat(runs.untold().reportable(GANG, untold.subList(1, 4)))
        .isEqualTo(untold.subList(1, 3));
    assertThat(runs.untold().reportable(GANG, List.of())).isEmpty();
  }

  // ---- leases

  @Test
  void rank_waits_until_the_loop_has_looked_at_its_lease() throws Exception {
    AtomicBoolean looked = new AtomicBoolean();
    bed.runner.body =
        (place, interruption) -> outcome(looked.get() ? TaskStatus.SUCCEEDED : TaskStatus.FAILED);
    bed.time.advanceMillis(60_000);
    runs.start(GANG, order(1));

    looked.set(true);
    bed.pulse.beat(bed.time.now());

    assertThat(bed.end().status()).isEqualTo("SUCCEEDED");
  }

  @Test
  void rank_whose_lease_was_over_when_the_loop_looked_never_starts() throws Exception {
    bed.time.advanceMillis(60_000);
    runs.start(GANG, order(2));

    runs.kill(GANG, JOB, 1);
    bed.pulse.beat(bed.time.now());

    assertThat(ends(2).values()).allMatch(end -> end.status().equals("CANCELLED"));
    assertThat(bed.runner.ran).isEmpty();
  }

  @Test
  void rank_that_waits_for_its_input_leaves_with_its_worker_and_is_ended_with_its_job()
      throws Exception {
    StartRanks waiting = order(1, 1, ELSEWHERE, RankBed.STORED, RankBed.CAPTURE, 0);
    runs.start(GANG, waiting);
    await().until(() -> bed.gets.get() > 0);
    runs.kill(GANG, JOB, 1);
    RankEnd ended = bed.end();
    assertThat(ended.status()).isEqualTo("CANCELLED");
    assertThat(EndedRanks.news(ended).how()).isEqualTo(How.KILLED);

    int before = bed.gets.get();
    runs.start("gang-2", waiting);
    await().until(() -> bed.gets.get() > before);
    bed.leaving.set(true);

    RankEnd left = bed.end();
    assertThat(left.status()).isEqualTo(EndedRanks.LEFT);
    assertThat(left.error()).isEqualTo("its worker drains");
    assertThat(EndedRanks.news(left).how()).isEqualTo(How.LEFT);
    assertThat(bed.runner.ran).isEmpty();
  }

  // ---- faults of the worker

  private RankEnd endOfStored() throws InterruptedException {
    runs.start(GANG, order(1, 1, ELSEWHERE, RankBed.STORED, RankBed.CAPTURE, 0));
    RankEnd end = bed.end();
    assertThat(bed.runner.ran).isEmpty();
    return end;
  }

  @Test
  void rank_whose_input_a_sick_worker_cannot_have_leaves_and_fails_where_the_worker_is_well()
      throws Exception {
    bed.refusal = new CloudKonException("planted");
    bed.sick = true;
    RankEnd left = endOfStored();
    assertThat(EndedRanks.news(left).how()).isEqualTo(How.LEFT);
    assertThat(left.error()).contains("the blob store refuses it", "planted");
    assertThat(bed.suspicions).containsExactly(new Sickness.BlobStore("planted"));
    assertThat(runs.avoids(JOB)).as("it takes nothing at all until it is well").isFalse();
    runs.forget(GANG);

    bed.sick = false;
    RankEnd failed = endOfStored();
    assertThat(failed.status()).isEqualTo("FAILED");
    assertThat(failed.error()).contains("its input cannot be read");
  }

  @Test
  void rank_whose_bucket_refuses_its_worker_leaves_and_the_job_is_avoided_for_a_while()
      throws Exception {
    bed.refusal = new RefusedException("s3:GetObject", "bucket", "b", "AccessDenied", null);

    RankEnd left = endOfStored();

    assertThat(EndedRanks.news(left).how()).isEqualTo(How.LEFT);
    assertThat(left.error()).contains("s3:GetObject");
    assertThat(bed.suspicions).as("what needs no bucket runs here").isEmpty();
    assertThat(runs.avoids(JOB)).isTrue();
    assertThat(runs.avoids("another")).isFalse();
    bed.time.advanceMillis(30_000);
    assertThat(runs.avoids(JOB)).isFalse();
  }

  @Test
  void rank_that_five_workers_could_not_start_fails() throws Exception {
    bed.refusal = new RefusedException("s3:GetObject", "bucket", "b", "AccessDenied", null);
    bed.sickWorkers = 5;

    RankEnd failed = endOfStored();

    assertThat(failed.status()).isEqualTo("FAILED");
    assertThat(failed.error()).contains("5 workers could not start it", "s3:GetObject");
  }

  // ---- kills

  @Test
  void kill_ends_the_ranks_of_that_attempt_only() throws Exception {
    CountDownLatch running = new CountDownLatch(2);
    AtomicBoolean mayRunElsewhere = new AtomicBoolean();
    bed.runner.body =
        (place, interruption) -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            mayRunElsewhere.set(runs.runsEnded());
          }
          throw new TaskInterruptedException(interruption.killed() ? "killed" : "not killed");
        };
    runs.start(GANG, order(2));
    running.await();
    runs.kill(GANG, JOB, 2);
    runs.kill(GANG, "another job", 1);
    runs.kill("gang-2", JOB, 1);
    assertThat(runs.busy()).isEqualTo(2);
    assertThat(runs.runsEnded()).isFalse();

    runs.kill(GANG, JOB, 1);

    assertThat(ends(2).values()).allMatch(end -> end.status().equals("CANCELLED"));
    assertThat(mayRunElsewhere).isTrue();
    assertThat(runs.busy()).isZero();
  }

  @Test
  void close_ends_what_runs_and_waits_for_it() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    bed.runner.body =
        (place, interruption) -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            // as every rank should
          }
          throw new TaskInterruptedException("planted");
        };
    runs.start(GANG, order(1));
    running.await();

    runs.close();

    assertThat(runs.busy()).isZero();
  }

  @Test
  void close_leaves_ranks_behind_that_do_not_end() throws Exception {
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch answers = new CountDownLatch(1);
    bed.runner.body =
        (place, interruption) -> {
          running.countDown();
          boolean answered = false;
          while (!answered) {
            try {
              answers.await();
              answered = true;
            } catch (InterruptedException e) {
              // a disk that does not answer heeds none
            }
          }
          return outcome(TaskStatus.SUCCEEDED);
        };
    runs.start(GANG, order(2));
    running.await();

    runs.close(Duration.ofMillis(20));

    assertThat(runs.busy()).isEqualTo(2);
    answers.countDown();
    assertThat(ends(2)).hasSize(2);
  }

  // ---- messages

  @Test
  void message_is_taken_for_a_rank_of_the_job_and_attempt_that_run_here() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    bed.runner.body =
        (place, interruption) -> {
          end.await();
          return outcome(TaskStatus.SUCCEEDED);
        };
    runs.start(GANG, order(1, 3, ELSEWHERE, 0, 1));
    byte[] frame = new byte[9];

    assertThat(runs.deliver(GANG, new RankMessage(JOB, 1, 2, 1, frame))).isTrue();
    assertThat(runs.deliver(GANG, new RankMessage(JOB, 1, 1, 2, frame))).isFalse();
    assertThat(runs.deliver(GANG, new RankMessage(JOB, 2, 2, 1, frame))).isFalse();
    assertThat(runs.deliver(GANG, new RankMessage("other", 1, 2, 1, frame))).isFalse();
    assertThat(runs.deliver("gang-2", new RankMessage(JOB, 1, 2, 1, frame))).isFalse();
    end.countDown();
    assertThat(ends(2)).hasSize(2);
    runs.forget(GANG);
    assertThat(runs.deliver(GANG, new RankMessage(JOB, 1, 2, 1, frame))).isFalse();
  }
}
