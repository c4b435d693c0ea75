package io.cloudkon.simulator.stale;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.cloud.Call;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bundle spreads over all idle workers, whatever anybody thought that its tasks take. */
@Tag("slow")
class StaleEstimateTest {
  private static final long HOUR = 3_600 * StaleFleet.SECOND;
  private static final long MINUTE = 60 * StaleFleet.SECOND;

  @Test
  void tasks_of_an_hour_that_took_20_ms_keep_the_whole_fleet_busy() {
    // Slots are busy for hours: a look a second costs the simulator less than one each 50 ms.
    StaleFleet fleet = new StaleFleet(Consistency.EXACTLY_ONCE, 20 * StaleFleet.MILLI, 1_000);
    Outcome outcome = fleet.run(new LearnedTasks(500, HOUR));

    assertThat(fleet.secondRunMicros(outcome)).isBetween(8 * HOUR, (long) (1.1 * 8 * HOUR));
  }

  /** A tenth of the ideal time is less than a lease for each of two rounds of tasks. */
  @ParameterizedTest
  @CsvSource({
    "EXACTLY_ONCE, 20000, 500",
    "EXACTLY_ONCE, 20000, 1280",
    "EXACTLY_ONCE, 2, 500",
    "AT_MOST_ONCE, 20000, 500",
    "AT_MOST_ONCE, 2, 500",
  })
  void tasks_of_a_minute_keep_the_whole_fleet_busy_whatever_they_took_before(
      Consistency mode, long learnedMicros, int tasks) {
    StaleFleet fleet = new StaleFleet(mode, learnedMicros, 50);
    Outcome outcome = fleet.run(new LearnedTasks(tasks, MINUTE));

    assertThat(outcome.measures().count(TaskStatus.SUCCEEDED))
        .isEqualTo(StaleFleet.WORKERS * StaleFleet.BUNDLE + tasks);
    long ideal = Math.ceilDiv(tasks, StaleFleet.WORKERS) * MINUTE;
    assertThat(fleet.secondRunMicros(outcome)).isBetween(ideal, (long) (1.1 * ideal));
    assertThat(outcome.calls().of(Call.REQUEST_SEND))
        .as("no more messages than tasks")
        .isLessThan(2 * StaleFleet.WORKERS + tasks);
  }

  @ParameterizedTest
  @ValueSource(longs = {20 * StaleFleet.MILLI, 2})
  void at_most_once_loses_what_dead_workers_ran_and_nothing_that_was_only_to_run(
      long learnedMicros) {
    StaleFleet fleet = new StaleFleet(Consistency.AT_MOST_ONCE, learnedMicros, 50);
    int deaths = 16;
    Outcome outcome =
        fleet.run(
            new LearnedTasks(500, MINUTE),
            simulation ->
                simulation
                    .world()
                    .timeline()
                    .in(
                        StaleFleet.SECOND_RUN + 5 * StaleFleet.SECOND,
                        () ->
                            simulation.workers().stream()
                                .filter(worker -> !worker.idle())
                                .limit(deaths)
                                .forEach(worker -> worker.process().die())));

    assertThat(outcome.measures().count(TaskStatus.LOST)).isEqualTo(deaths);
  }
}
