package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {
  private final List<Integer> simulated = new ArrayList<>();

  private Forecaster fleets(WorkloadSize load) {
    return new Forecaster(load, Made.question(), Made.PRICES, simulated::add);
  }

  @Test
  void smallest_fleet_is_found_and_one_less_is_too_slow() {
    Forecaster fleets = fleets(Made.sleeps(4_000, 50));
    Forecast found = Goal.reach(fleets, 10).fleet().orElseThrow();

    assertThat(found.makespanSeconds()).isLessThanOrEqualTo(10);
    assertThat(found.workers()).isBetween(5, 8);
    assertThat(fleets.of(found.workers() - 1).makespanSeconds()).isGreaterThan(10);
    assertThat(simulated).doesNotHaveDuplicates();
  }

  @Test
  void longest_task_is_known_without_any_simulation() {
    assertThat(Goal.reach(fleets(Made.sleeps(10, 5_000)), 4).fleet()).isEmpty();
    assertThat(simulated).isEmpty();
  }

  @Test
  void search_ends_where_more_workers_are_no_faster() {
    WorkloadPlan.Target target = Goal.reach(fleets(Made.sleeps(100, 50)), 0.06);

    assertThat(target.fleet()).isEmpty();
    assertThat(target.tried()).isLessThan(Goal.MOST_WORKERS);
  }
}
