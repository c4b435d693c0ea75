package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that lose their leases and live, beside workers that die. */
class OutageTest {
  private static final int SEEDS = 20;
  private static final int SLOTS = 8;
  private static final int OUTAGES = 6;
  private static final long OUTAGE = 20_000;
  private static final long BETWEEN = 70_000;
  private static final long JVM_START = 1_500;
  private static final Scenario LONG =
      scenario("long", SLOTS, IntStream.range(0, SLOTS).mapToObj(i -> 600_000));

  private static Scenario scenario(String name, int bundle, Stream<Integer> millis) {
    return new Scenario(name, Consistency.EXACTLY_ONCE, bundle, millis.toList());
  }

  /** One worker that reaches no table six times, for 20 s each. */
  private static SimWorker cutOff(Simulation simulation) {
    SimWorker worker = simulation.join(SLOTS);
    for (int i = 0; i < OUTAGES; i++) {
      Ran.in(simulation, (i + 1) * BETWEEN, () -> worker.process().cutOff(OUTAGE));
    }
    return worker;
  }

  /** One worker at a time; the next one starts when it has died. */
  private static void onlyWorker(Simulation simulation) {
    SimWorker worker = simulation.join(SLOTS);
    worker.process().onStop(() -> Ran.in(simulation, JVM_START, () -> onlyWorker(simulation)));
  }

  @Test
  void six_outages_cost_a_bundle_of_long_tasks_no_task_and_leave_every_slot_busy() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      int[] looks = {0};
      Ran ran =
          Ran.calm(
              LONG,
              seed,
              "six outages",
              simulation -> {
                SimWorker unused = cutOff(simulation);
                for (int i = 0; i <= OUTAGES; i++) {
                  int before = i;
                  // Everything has started anew since the last outage, and nothing was stopped.
                  Ran.in(
                      simulation,
                      (i + 1) * BETWEEN - 1,
                      () -> {
                        looks[0]++;
                        assertThat(starts(simulation)).containsOnly(before + 1);
                      });
                }
              });

      assertThat(looks[0]).isEqualTo(OUTAGES + 1);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).as("seed %d", seed).isEqualTo(SLOTS);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void worker_that_reaches_tables_and_no_queue_any_more_holds_no_run_up(Consistency mode) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran =
          Ran.calm(
              Scenario.drained(mode),
              seed,
              "no queue",
              simulation -> {
                SimWorker cutOff = simulation.join(2);
                Ran.in(simulation, 500, () -> cutOff.process().cutOffFromQueues(86_400_000));
                Ran.in(simulation, 1_000, () -> simulation.join(2));
              });

      assertThat(ran.count(TaskStatus.SUCCEEDED))
          .as("seed %d", seed)
          .isEqualTo(ran.scenario().size());
      assertThat(ran.lastResultMillis()).as("seed %d", seed).isLessThan(20 * 60_000);
    }
  }

  private static List<Integer> starts(Simulation simulation) {
    return IntStream.range(0, SLOTS)
        .mapToObj(task -> simulation.world().witness().startsOf(simulation.simRun(0), task))
        .toList();
  }

  @Test
  void outage_that_counts_as_a_death_is_found() {
    Setup setup = Ran.setup(LONG, 1, FaultSettings.NONE).with(Bug.OUTAGE_COUNTED_AS_DEATH.twist());

    assertThatThrownBy(() -> Simulation.run(setup, OutageTest::cutOff))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("is given up as its worker died");
  }

  /**
   * When it only stalls its worker, that keeps the lease, and no other attempt begins by itself.
   */
  @ParameterizedTest
  @ValueSource(ints = {Scenario.FREEZE, Scenario.STALL})
  void task_that_freezes_or_stalls_its_worker_each_time_ends_and_its_neighbours_succeed(int task) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran =
          Ran.calm(
              scenario("freezes", 4, Stream.of(10, 30_000, task, 10, 10, 10, 10, 10)),
              seed,
              "freezes",
              simulation -> simulation.join(4));

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(1);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(7);
      assertThat(ran.startsOf(2)).isEqualTo(20);
      assertThat(ran.deadLetters()).isPositive();
    }
  }

  @Test
  void task_that_kills_its_worker_is_given_up_after_five_deaths_whatever_outages_there_are() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran =
          Ran.calm(
              scenario("kills", 2, Stream.of(45_000, Scenario.POISON, 45_000, 45_000)),
              seed,
              "kills",
              OutageTest::cutOffAndRestarted);

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(1);
      assertThat(ran.startsOf(1)).isEqualTo(5);
    }
  }

  private static void cutOffAndRestarted(Simulation simulation) {
    SimWorker worker = cutOff(simulation);
    worker
        .process()
        .onStop(() -> Ran.in(simulation, JVM_START, () -> cutOffAndRestarted(simulation)));
  }

  @Test
  void seven_healthy_long_bundles_beside_a_killer_on_the_only_worker_succeed() {
    Stream<Integer> healthy = IntStream.range(0, 14).mapToObj(i -> 120_000);
    Scenario scenario =
        scenario("beside a killer", 2, Stream.concat(Stream.of(Scenario.POISON, 20), healthy));
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = Ran.calm(scenario, seed, "beside a killer", OutageTest::onlyWorker);

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(1);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(15);
      assertThat(ran.startsOf(0)).isEqualTo(5);
    }
  }
}
