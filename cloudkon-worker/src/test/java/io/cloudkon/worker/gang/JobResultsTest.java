package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.GangEvent.How;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.hpc.rmi.RankEnd;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobResultsTest {
  private static final byte[] SAID = {1, 2, 3, 4, 5, 6, 7, 8};
  private static final Task JOB =
      new Task(7, "8", new Work.Hpc(4, false, Work.Exec.shell("true")), 0);

  private static Map<Integer, RankEnd> ends(RankEnd... all) {
    Map<Integer, RankEnd> ends = new TreeMap<>();
    Arrays.stream(all).forEach(end -> ends.put(end.rank(), end));
    return ends;
  }

  private static TaskResult of(Verdict verdict, Map<Integer, RankEnd> ends) {
    return JobResults.of(JOB, verdict, ends, null, rank -> "w" + rank, 8, 1, 99);
  }

  @ParameterizedTest
  @CsvSource({
    "TIMED_OUT, TIMED_OUT",
    "FAILED, FAILED",
    "CANCELLED, FAILED",
    "LEFT, FAILED",
    "SOMETHING_NEW, FAILED"
  })
  void rank_that_fails_in_whatever_way_makes_a_result(String rank, TaskStatus job) {
    TaskResult result =
        of(
            new Verdict.RankFailed(2),
            ends(RankEnds.end("j", 1, 0, "SUCCEEDED"), RankEnds.end("j", 1, 2, rank, SAID)));

    assertThat(result.status()).isEqualTo(job);
    assertThat(result.error()).isEqualTo("rank 2: it ended as " + rank);
    assertThat(result.stdout()).as("of the rank that failed").isEqualTo(SAID);
  }

  @Test
  void rank_of_which_nothing_was_heard_fails_the_job_all_the_same() {
    TaskResult result = of(new Verdict.RankFailed(2), ends());

    assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(result.error()).isEqualTo("rank 2 failed");
  }

  @Test
  void job_shows_what_rank_0_said_and_a_share_of_what_each_did() {
    TaskResult result =
        of(
            new Verdict.Succeeded(),
            ends(
                RankEnds.end("j", 1, 0, "SUCCEEDED", SAID),
                RankEnds.end("j", 1, 1, "SUCCEEDED", SAID)));

    assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(result.output()).isEqualTo(SAID);
    assertThat(result.ranks().stream().map(RankResult::stdout))
        .containsExactly(new byte[] {1, 2, 3, 4}, new byte[] {1, 2, 3, 4});
    assertThat(result.ranks().stream().map(RankResult::worker)).containsExactly("w0", "w1");
  }

  /** It looked as if it had ended well. */
  @Test
  void rank_that_was_stopped_before_its_start_has_the_exit_code_of_a_killed_one() {
    byte[] no = {};
    RankEnd unstarted =
        new RankEnd("j", 1, 1, "CANCELLED", 0, no, 0, no, 0, no, 0, "stopped", 0, 20, false);
    TaskResult result =
        of(new Verdict.RankFailed(0), ends(RankEnds.end("j", 1, 0, "FAILED", SAID), unstarted));

    assertThat(result.ranks().stream().map(RankResult::exitCode)).containsExactly(0, 137);
  }

  @Test
  void job_that_is_too_large_says_how_large_it_may_be_and_what_to_do() {
    assertThat(tooLarge(new RankLimit.Option(3)))
        .isEqualTo("it has 4 ranks, but --max-ranks allows 3");
    assertThat(tooLarge(new RankLimit.LiveWorkers(3)))
        .isEqualTo(
            "it has 4 ranks, but the live workers have 3 slots in total; start more workers, or"
                + " raise their -t");
    assertThat(tooLarge(new RankLimit.Fleet(3, 5, 2, 500)))
        .isEqualTo(
            "it has 4 ranks, but the fleet can have at most 3 slots: those of the live workers, and"
                + " those that --max 5, --worker-slots 2 and --max-hourly of the provisioner allow"
                + " in addition; raise one of these");
    assertThat(tooLarge(new RankLimit.Fleet(3, 5, 2, 500, true, "VcpuLimitExceeded: 32 vCPU")))
        .isEqualTo(
            "it has 4 ranks, but the fleet has 3 slots, and the launcher has refused more workers"
                + " for too long: VcpuLimitExceeded: 32 vCPU");
    assertThat(tooLarge(new RankLimit.Fleet(3, 1, 500)))
        .isEqualTo(
            "it has 4 ranks, but the fleet can have at most 3 slots: 3 workers of 1; raise --max or"
                + " --worker-slots of the provisioner");
  }

  private static String tooLarge(RankLimit limit) {
    return of(new Verdict.TooLarge(limit), ends()).error();
  }

  @Test
  void share_is_never_nothing() {
    assertThat(JobResults.share(65_536, 4)).isEqualTo(16_384);
    assertThat(JobResults.share(2, 3)).isEqualTo(1);
    assertThat(JobResults.share(2, 0)).isEqualTo(2);
  }

  @Test
  void one_rank_that_may_still_run_is_enough() {
    RankEnd fine = RankEnds.end("j", 1, 0, "CANCELLED");

    assertThat(JobResults.anyStuck(ends(fine))).isFalse();
    assertThat(JobResults.anyStuck(ends(fine, RankEnds.stuck("j", 1, 3)))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED, WELL",
    "CANCELLED, KILLED",
    "LEFT, LEFT",
    "ENDED, ENDED",
    "FAILED, FAILED",
    "TIMED_OUT, FAILED",
    "SOMETHING_NEW, FAILED"
  })
  void machines_are_told_how_a_rank_ended(String status, How how) {
    assertThat(EndedRanks.news(RankEnds.end("j", 1, 2, status)).how()).isEqualTo(how);
  }
}
