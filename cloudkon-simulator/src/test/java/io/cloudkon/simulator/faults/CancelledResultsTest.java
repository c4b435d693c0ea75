package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.Permission;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results that wait in a queue or in the bucket when their run is cancelled, or ends. */
class CancelledResultsTest {
  private static final int TASKS = 24;

  /** When the results that no queue took for a minute are stored. */
  private static final long STORING = 60_000;

  private static final long STORED = 68_000;

  private static Scenario tasks(Consistency mode) {
    return new Scenario("cancelled", mode, 4, Collections.nCopies(TASKS, 500));
  }

  private static void deny(Simulation simulation, Permission permission, String to, long millis) {
    simulation.world().cloud().refusals().deny(permission, to::equals, millis * 1000);
  }

  /** The worker may not send results for so long; then it stores them, and the run is cancelled. */
  private static void storedAndCancelled(Simulation simulation, long refusedMillis, long at) {
    deny(simulation, Permission.SEND_RESULTS, "w1", refusedMillis);
    SimWorker unused = simulation.join(2);
    Ran.in(simulation, at, () -> simulation.cancel(0));
  }

  /** The run is cancelled while its client may not receive. */
  private static void refusedAndCancelled(Simulation simulation) {
    deny(simulation, Permission.RECEIVE_RESULTS, "c1", 30_000);
    SimWorker unused = simulation.join(2);
    Ran.in(simulation, 4_000, () -> simulation.cancel(0));
  }

  @ParameterizedTest
  @EnumSource
  void stored_results_of_a_cancelled_run_count_although_its_queue_is_there(Consistency mode) {
    long succeeded = 0;
    for (long at = STORING; at < STORED; at += 500) {
      long cancelled = at;
      Ran ran =
          Ran.calm(
              tasks(mode),
              at,
              "cancelled at " + at,
              simulation -> storedAndCancelled(simulation, 100_000, cancelled));
      succeeded += ran.count(TaskStatus.SUCCEEDED);
    }
    assertThat(succeeded).isPositive();
  }

  @Test
  void client_that_does_not_look_for_stored_results_is_found() {
    List<String> found = new ArrayList<>();
    for (long at = STORING; at < STORED; at += 500) {
      long cancelled = at;
      find(
          Bug.STORED_RESULTS_CANCELLED,
          at,
          simulation -> storedAndCancelled(simulation, 100_000, cancelled),
          found);
    }
    assertThat(found).isNotEmpty().allMatch(said -> said.endsWith("ended CANCELLED"));
  }

  private static void find(Bug bug, long seed, Consumer<Simulation> script, List<String> found) {
    Setup setup = Ran.setup(tasks(Consistency.EXACTLY_ONCE), seed, FaultSettings.NONE);
    try {
      Outcome unused = Simulation.run(setup.with(bug.twist()), script);
    } catch (Violation violation) {
      found.add(String.valueOf(violation.getMessage()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void results_that_a_client_may_not_receive_when_its_run_is_cancelled_are_waited_for(
      Consistency mode) {
    Ran ran = Ran.calm(tasks(mode), 1, "no receives", CancelledResultsTest::refusedAndCancelled);

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isPositive();
  }

  @Test
  void client_that_takes_a_failed_receive_for_an_empty_queue_is_found() {
    List<String> found = new ArrayList<>();
    find(Bug.FAILED_RECEIVE_TAKEN_AS_EMPTY, 1, CancelledResultsTest::refusedAndCancelled, found);
    assertThat(found).singleElement().asString().endsWith("ended CANCELLED");
  }
}
