package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A task is LOST, or starts anew, only if something happened to the worker that had started it, and
 * it runs only for as long as its run is open. The planted bugs show that the checks see otherwise.
 */
class CausesTest {
  private static final int TIMINGS = 20;
  private static final int HOUR_MILLIS = 3_600_000;
  private static final long DRAIN_MILLIS = 20_000;
  private static final String NO_CAUSE = "nothing happened to";

  /** Many tasks without a duration, of which a slot takes several at a time. */
  private static Scenario tiny(Consistency mode) {
    return new Scenario("tiny", mode, 2_000, Collections.nCopies(10_000, 0));
  }

  private static Scenario oneHour(Consistency mode) {
    return new Scenario("one hour", mode, 1, List.of(HOUR_MILLIS));
  }

  private static Consumer<Simulation> drainedAt(long millis) {
    return simulation -> {
      SimWorker first = simulation.join(2);
      Ran.in(simulation, millis, () -> first.drain(DRAIN_MILLIS));
      Ran.in(simulation, millis, () -> simulation.join(2));
    };
  }

  private static Consumer<Simulation> cancelledAt(long millis) {
    return simulation -> {
      simulation.join(2);
      Ran.in(simulation, millis, () -> simulation.cancel(0));
    };
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void drained_worker_loses_no_task(Consistency mode) {
    for (Scenario scenario : List.of(tiny(mode), Scenario.drained(mode))) {
      for (long seed = 1; seed <= TIMINGS; seed++) {
        Ran ran = Ran.calm(scenario, seed, "drained", drainedAt(50 + 3 * seed));
        assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(scenario.size());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_STARTED_LOST, AT_MOST_ONCE",
    "DRAIN_KILLS_AT_ONCE, AT_MOST_ONCE",
    "DRAIN_KILLS_AT_ONCE, EXACTLY_ONCE"
  })
  void loss_or_second_start_without_a_cause_is_found(Bug bug, Consistency mode) {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= TIMINGS; seed++) {
                run(tiny(mode), bug, seed, drainedAt(50 + 3 * seed));
                run(Scenario.drained(mode), bug, seed, drainedAt(50 + 3 * seed));
              }
            })
        .isInstanceOf(Violation.class)
        .hasMessageContaining(NO_CAUSE);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void task_of_a_cancelled_run_is_ended_within_seconds(Consistency mode) {
    Ran ran = Ran.calm(oneHour(mode), 1, "cancelled", cancelledAt(5_000));
    assertThat(ran.count(TaskStatus.CANCELLED)).isEqualTo(1);
  }

  @Test
  void task_that_runs_on_in_a_cancelled_run_is_found() {
    Scenario scenario = oneHour(Consistency.EXACTLY_ONCE);
    assertThatThrownBy(() -> run(scenario, Bug.CLOSED_RUN_UNNOTICED, 1, cancelledAt(5_000)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("after the run was closed");
  }

  private static void run(Scenario scenario, Bug bug, long seed, Consumer<Simulation> script) {
    Outcome unused =
        Simulation.run(Ran.setup(scenario, seed, FaultSettings.NONE).with(bug.twist()), script);
  }
}
