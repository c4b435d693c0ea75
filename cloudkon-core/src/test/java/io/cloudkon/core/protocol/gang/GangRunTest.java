package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.GangEvent.How;
import org.junit.jupiter.api.Test;

class GangRunTest {
  private static final String JOB = "run/e/0";

  private final GangRun run = new GangRun(JOB, 1, 3, 0);

  private void ends(int rank, How how) {
    boolean unused = run.ended(new GangEvent.Ended(JOB, 1, rank, how), false);
  }

  private void leaves(int rank) {
    boolean unused = run.ended(new GangEvent.Ended(JOB, 1, rank, How.KILLED), true);
  }

  private GangRun.End end() {
    return run.end(false, false);
  }

  private static GangRun.End failed(int rank) {
    return new GangRun.End.Settled(new Verdict.RankFailed(rank));
  }

  @Test
  void ranks_that_all_ended_well_are_a_result_whatever_is_lost_or_killed_then() {
    ends(0, How.WELL);
    ends(1, How.WELL);
    ends(2, How.WELL);

    assertThat(run.end(true, true)).isEqualTo(new GangRun.End.Settled(new Verdict.Succeeded()));
  }

  @Test
  void rank_that_fails_is_the_cause_whatever_ended_or_was_killed_before() {
    ends(2, How.KILLED);
    ends(1, How.ENDED);
    ends(0, How.FAILED);
    leaves(1);

    assertThat(end()).isEqualTo(failed(0));
    assertThat(run.end(true, false)).isEqualTo(new GangRun.End.Died());
    assertThat(run.end(false, true)).isEqualTo(new GangRun.End.Interrupted());
  }

  @Test
  void program_that_ends_as_a_worker_leaves_has_not_failed() {
    ends(0, How.ENDED);
    assertThat(end()).isEqualTo(failed(0));

    leaves(1);
    ends(2, How.FAILED);
    run.launchFailed(true);

    assertThat(end()).isEqualTo(new GangRun.End.Interrupted());
  }

  @Test
  void program_that_ends_before_a_worker_leaves_that_another_kill_came_before_has_failed() {
    ends(0, How.ENDED);
    ends(1, How.KILLED);
    leaves(2);

    assertThat(end()).isEqualTo(failed(0));
  }

  @Test
  void launch_that_fails_is_the_cause_unless_a_worker_leaves() {
    run.launchFailed(true);
    ends(0, How.ENDED);
    assertThat(end()).isEqualTo(new GangRun.End.Settled(new Verdict.LaunchFailed()));

    leaves(1);
    assertThat(end()).isEqualTo(new GangRun.End.Interrupted());
  }

  @Test
  void ranks_that_no_sub_worker_was_told_to_start_are_over_at_once() {
    run.withdrawn();

    assertThat(run.over(rank -> false)).isTrue();
    assertThat(end()).isEqualTo(new GangRun.End.NeverBegun());
    assertThat(run.end(true, true)).isEqualTo(new GangRun.End.NeverBegun());
  }

  @Test
  void launch_that_its_worker_cannot_start_is_over_at_once_and_for_another_worker() {
    var why = new GangEvent.LaunchHindered("g", JOB, 1, "its disk is full", 0);
    run.hindered(why);

    assertThat(run.over(rank -> false)).isTrue();
    assertThat(end()).isEqualTo(new GangRun.End.Hindered(why));
    assertThat(run.end(true, false)).isEqualTo(new GangRun.End.NeverBegun());
    assertThat(run.end(false, true)).isEqualTo(new GangRun.End.NeverBegun());
  }

  @Test
  void job_of_which_no_rank_ever_began_never_began() {
    ends(0, How.LEFT);
    ends(1, How.LEFT);
    ends(2, How.KILLED);
    assertThat(end()).isEqualTo(new GangRun.End.Interrupted());

    ends(2, How.LEFT);
    assertThat(end()).isEqualTo(new GangRun.End.NeverBegun());
    assertThat(run.end(false, true)).isEqualTo(new GangRun.End.NeverBegun());
  }

  @Test
  void end_of_another_attempt_or_of_no_rank_tells_nothing() {
    assertThat(run.ended(new GangEvent.Ended(JOB, 2, 0, How.FAILED), false)).isFalse();
    assertThat(run.ended(new GangEvent.Ended(JOB, 1, 3, How.FAILED), false)).isFalse();
    assertThat(run.over(rank -> rank < 2)).isFalse();
    assertThat(run.over(rank -> true)).isTrue();
  }
}
