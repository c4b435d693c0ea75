package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each reason, by the smallest case that shows it. */
class BottleneckSearchTest {
  private static final WorkloadSize MANY = Made.load(100_000, 5_000, 0.05);

  private static Bottleneck of(WorkloadSize load, long slots, Observation seen) {
    double efficiency = load.workSeconds() / (seen.makespanSeconds() * slots);
    return BottleneckSearch.of(load, Made.question(), slots, efficiency, seen);
  }

  private static Observation seen(
      double seconds, double sending, double collecting, double throttled, long refused) {
    return new Observation(seconds, Map.of(), 1, sending, collecting, throttled, refused);
  }

  @Test
  void good_efficiency_needs_no_reason() {
    assertThat(of(MANY, 40, Made.seen(130))).isEqualTo(Bottleneck.NONE);
  }

  @Test
  void more_than_14_days_is_more_than_sqs_keeps() {
    assertThat(of(Made.load(1_000_000, 6e6, 6), 4, Made.seen(1.5e6)))
        .isEqualTo(Bottleneck.RETENTION);
  }

  @Test
  void slots_without_tasks_are_the_reason() {
    assertThat(of(Made.load(100, 100, 1), 400, Made.seen(1.1)))
        .isEqualTo(Bottleneck.FEWER_TASKS_THAN_SLOTS);
  }

  @Test
  void long_task_is_the_reason_where_it_takes_most_of_the_time() {
    WorkloadSize load = Made.load(100_000, 5_000, 100);
    assertThat(of(load, 400, Made.seen(110))).isEqualTo(Bottleneck.LONGEST_TASK);
    assertThat(of(load, 400, Made.seen(400))).isEqualTo(Bottleneck.CALLS_PER_BUNDLE);
  }

  @Test
  void refused_receives_show_the_limit_of_messages_in_flight() {
    assertThat(of(MANY, 400, seen(30, 0, 0, 0, 1))).isEqualTo(Bottleneck.IN_FLIGHT);
  }

  @Test
  void refused_writes_show_the_quota_of_the_table_unless_they_are_few() {
    assertThat(of(MANY, 400, seen(30, 0, 0, 0.1, 0))).isEqualTo(Bottleneck.TABLE_WRITES);
    assertThat(of(MANY, 400, seen(30, 0, 0, 0.01, 0))).isEqualTo(Bottleneck.CALLS_PER_BUNDLE);
  }

  @Test
  void busy_threads_show_the_client_to_be_the_limit() {
    assertThat(of(MANY, 400, seen(30, 50, 40, 0, 0))).isEqualTo(Bottleneck.CLIENT_SENDS);
    assertThat(of(MANY, 400, seen(30, 40, 800, 0, 0))).isEqualTo(Bottleneck.CLIENT_COLLECTS);
    assertThat(of(MANY, 400, seen(30, 40, 40, 0, 0))).isEqualTo(Bottleneck.CALLS_PER_BUNDLE);
  }

  @Test
  void few_tasks_for_each_slot_do_not_come_out_even() {
    assertThat(of(Made.load(1_000, 1_000, 1), 400, Made.seen(3)))
        .isEqualTo(Bottleneck.FEW_TASKS_PER_SLOT);
    assertThat(of(Made.load(4_000, 4_000, 1), 400, Made.seen(13)))
        .isEqualTo(Bottleneck.FEW_TASKS_PER_SLOT);
  }

  @Test
  void begin_and_end_weigh_in_a_short_run() {
    assertThat(of(MANY, 10_000, Made.seen(1))).isEqualTo(Bottleneck.SHORT_RUN);
  }

  @Test
  void tasks_without_any_time_have_a_reason_as_well() {
    assertThat(of(Made.load(1_000_000, 0, 0), 4, Made.seen(10)))
        .isEqualTo(Bottleneck.CALLS_PER_BUNDLE);
  }
}
