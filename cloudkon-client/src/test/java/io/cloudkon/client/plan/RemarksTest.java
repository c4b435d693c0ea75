package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemarksTest {
  @ParameterizedTest
  @EnumSource(value = Bottleneck.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void each_limit_is_said_in_a_sentence_with_its_fleets(Bottleneck limit) {
    WorkloadPlan plan =
        Made.plan(
            Made.forecast(1, 100, 1, Bottleneck.NONE),
            Made.forecast(10, 20, 2, limit),
            Made.forecast(1_000, 10, 3, limit));

    assertThat(Remarks.of(plan))
        .filteredOn(remark -> remark.startsWith("With 10 and 1,000 workers "))
        .singleElement()
        .asString()
        .endsWith(".");
  }

  @Test
  void cheapest_fastest_and_where_more_stop_to_help_are_named() {
    WorkloadPlan plan =
        Made.plan(
            Made.forecast(1, 100, 1, Bottleneck.NONE),
            Made.forecast(10, 10.5, 2, Bottleneck.NONE),
            Made.forecast(100, 10, 3, Bottleneck.NONE),
            Made.forecast(1_000, 20, 9, Bottleneck.NONE));

    assertThat(Remarks.of(plan))
        .containsExactly(
            "Cheapest: 1 worker, $1.00. Fastest: 100 workers, 10.0 s for $3.00.",
            "Cost of calls with 1 worker: SQS $0.250, DynamoDB $0.250.",
            "More than 10 workers slow it down: with 1,000 it takes 20.0 s.");
  }

  @Test
  void fastest_of_fleets_that_take_the_same_time_is_the_cheapest() {
    WorkloadPlan plan =
        Made.plan(
            Made.forecast(1, 72_000, 36, Bottleneck.NONE),
            Made.forecast(100, 10_801, 54.15, Bottleneck.NONE),
            Made.forecast(200, 10_800.5, 54.15, Bottleneck.NONE),
            Made.forecast(1_000, 10_800, 540.38, Bottleneck.NONE));

    assertThat(Remarks.of(plan))
        .startsWith("Cheapest: 1 worker, $36.00. Fastest: 100 workers, 3 h for $54.15.");
  }

  @Test
  void one_fleet_may_be_both() {
    WorkloadPlan plan =
        Made.plan(
            Made.forecast(1, 100, 2, Bottleneck.NONE), Made.forecast(10, 10, 1, Bottleneck.NONE));

    assertThat(Remarks.of(plan))
        .startsWith("10 workers: cheapest and fastest of these, $1.00 in 10.0 s.");
  }

  @Test
  void change_is_said_with_what_it_does() {
    Forecast now = Made.forecast(10, 100, 1, Bottleneck.CLIENT_SENDS);
    Advice helps = new Advice("-t 8", now, Made.forecast(10, 50, 1, Bottleneck.NONE));
    Advice idle = new Advice("-t 8", now, Made.forecast(10, 99, 1, Bottleneck.NONE));

    assertThat(Remarks.of(with(helps, now)))
        .contains(
            "With client -t 8, 10 workers take 50.0 s instead of 1 min 40 s (also simulated).");
    assertThat(Remarks.of(with(idle, now)))
        .contains(
            "With client -t 8, 10 workers would take 1 min 39 s: that is not much faster (also"
                + " simulated).");
  }

  private static WorkloadPlan with(Advice advice, Forecast fleet) {
    return new WorkloadPlan(
        Made.load(1000, 500, 0.5),
        Made.question(),
        Made.TYPES,
        "",
        List.of(fleet),
        null,
        Optional.of(advice));
  }

  @Test
  void goal_is_answered_in_each_case() {
    WorkloadSize load = Made.load(1000, 500, 0.5);
    Forecast fleet = Made.forecast(7, 9, 1, Bottleneck.NONE);

    assertThat(goal(load, new WorkloadPlan.Target(10, Optional.of(fleet), 7)))
        .isEqualTo("The smallest fleet that finishes within 10.0 s: 7 workers, 9.00 s for $1.00.");
    assertThat(goal(load, new WorkloadPlan.Target(0.1, Optional.empty(), 0)))
        .isEqualTo("No fleet finishes within 100 ms: the longest task alone takes 500 ms.");
    assertThat(goal(load, new WorkloadPlan.Target(1, Optional.empty(), 64)))
        .isEqualTo(
            "No fleet of up to 64 workers finishes within 1.00 s, and larger ones are no faster.");
    assertThat(goal(load, new WorkloadPlan.Target(1, Optional.empty(), Goal.MOST_WORKERS)))
        .isEqualTo("No fleet of up to 16,384 workers finishes within 1.00 s.");
  }

  private static String goal(WorkloadSize load, WorkloadPlan.Target target) {
    return Remarks.of(Made.plan(load, target, Made.forecast(1, 500, 1, Bottleneck.NONE))).getLast();
  }

  @Test
  void jobs_that_are_left_out_are_said() {
    WorkloadSize some = Made.load(1000, 500, 0.5);
    WorkloadSize load =
        new WorkloadSize(
            some.name(),
            some.tasks(),
            3,
            some.workSeconds(),
            some.longestSeconds(),
            some.largeTasks(),
            some.sample());

    assertThat(Remarks.of(Made.plan(load, null, Made.forecast(1, 500, 1, Bottleneck.NONE))))
        .startsWith("Its 3 HPC jobs are not included: only tasks are simulated.");
  }
}
