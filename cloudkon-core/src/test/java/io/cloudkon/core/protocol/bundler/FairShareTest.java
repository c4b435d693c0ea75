package io.cloudkon.core.protocol.bundler;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final BundlePlan TASKS = new BundlePlan(100, 60 * 1024, 250_000);
  private static final BundlePlan JOB = new BundlePlan(1, 60 * 1024, Double.POSITIVE_INFINITY);
  private static final Moment NOW = new Moment(0, 0);

  private final FairShare share = new FairShare(Priority.NORMAL);

  private int jobs(int from, int ranks, double micros) {
    int jobs = 0;
    while (jobs < 10_000 && !share.fit(JOB, true, 8, NOW).waits()) {
      share.sentJob(from + jobs, ranks, micros);
      jobs++;
    }
    return jobs;
  }

  @Test
  void jobs_of_unknown_time_are_sent_until_their_ranks_fill_the_slots() {
    assertThat(jobs(0, 4, Double.NaN)).isEqualTo(2);
  }

  @Test
  void job_wider_than_the_fleet_is_sent_all_the_same() {
    assertThat(jobs(0, 32, Double.NaN)).isEqualTo(1);
  }

  @Test
  void long_jobs_fill_the_slots_and_one_waits() {
    assertThat(jobs(0, 4, 4 * 60e6)).isEqualTo(3);
  }

  @Test
  void short_jobs_keep_two_seconds_of_the_fleet_in_the_queue() {
    // 16 slot seconds of jobs of 0.4, beside the two that fill the slots.
    assertThat(jobs(0, 4, 4 * 100e3)).isBetween(40, 43);
  }

  @Test
  void jobs_that_wait_hold_up_no_tasks_and_the_other_way_round() {
    int unused = jobs(0, 4, 4 * 60e6);

    assertThat(share.fit(TASKS, false, 8, NOW).waits()).isFalse();
  }

  @Test
  void result_of_a_job_ends_all_of_its_ranks() {
    int sent = jobs(0, 4, Double.NaN);
    share.ended(0, 0);
    assertThat(share.fit(JOB, true, 8, NOW).waits()).isTrue();

    share.ended(0, 1);

    assertThat(share.fit(JOB, true, 8, NOW).waits()).isFalse();
    assertThat(sent).isEqualTo(2);
  }

  @Test
  void ranks_that_ran_say_how_long_jobs_take_and_nothing_of_tasks() {
    share.finishedRanks(4, 4 * 100_000, NOW);

    assertThat(jobs(0, 4, Double.NaN)).isGreaterThan(30);
    assertThat(share.fit(TASKS, false, 8, NOW).tasks()).isEqualTo(8);
  }

  @Test
  void listed_slots_count_for_tasks_and_jobs_apart() {
    share.fleet(20, 0, 40, 0);

    assertThat(share.fit(TASKS, false, 1, NOW).tasks()).isEqualTo(20);
    assertThat(jobs(0, 10, Double.NaN)).isEqualTo(4);
  }

  @Test
  void bundle_whose_results_are_all_here_is_forgotten() {
    share.sent(0, 8, Double.NaN);
    assertThat(share.fit(TASKS, false, 8, NOW).waits()).isTrue();

    share.closed(0);

    assertThat(share.fit(TASKS, false, 8, NOW).tasks()).isEqualTo(8);
    assertThat(share.priority()).isEqualTo(Priority.NORMAL);
  }
}
