package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that kill their worker, and tasks that fail before they succeed, over many timings. */
class PoisonTest {
  private static final int SEEDS = 60;
  private static final long JVM_START = 1_500;

  /** Two workers; whoever dies is followed by another. */
  private static void fleet(Simulation simulation) {
    restarted(simulation);
    restarted(simulation);
  }

  private static void restarted(Simulation simulation) {
    SimWorker worker = simulation.join(2);
    worker.process().onStop(() -> Ran.in(simulation, JVM_START, () -> restarted(simulation)));
  }

  private static Ran run(
      Scenario scenario, long seed, boolean stormy, Consumer<Simulation> script) {
    FaultSettings faults = stormy ? Faulty.storm(60) : FaultSettings.NONE;
    return Ran.of(scenario, seed, faults, "poison", script);
  }

  @Test
  void task_that_kills_its_workers_fails_alone_and_within_three_minutes() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(Scenario.poisoned(Consistency.EXACTLY_ONCE), seed, false, PoisonTest::fleet);

      assertThat(ran.count(TaskStatus.FAILED)).isEqualTo(1);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(ran.scenario().size() - 1);
      assertThat(ran.lastResultMillis()).as("seed %d", seed).isLessThan(180_000);
      assertThat(ran.deadLetters()).isPositive();
    }
  }

  @Test
  void two_tasks_that_kill_their_workers_fail_and_nobody_else() {
    Scenario scenario =
        new Scenario(
            "twice poisoned",
            Consistency.EXACTLY_ONCE,
            6,
            List.of(20, Scenario.POISON, 20, 20, Scenario.POISON, 10, 10, Scenario.POISON, 5, 5));
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(scenario, seed, false, PoisonTest::fleet);

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(3);
    }
  }

  @Test
  void poison_is_found_in_a_storm_too() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(Scenario.poisoned(Consistency.EXACTLY_ONCE), seed, true, PoisonTest::fleet);

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(1);
    }
  }

  @Test
  void worker_that_gives_up_a_bundle_may_die_at_any_effect_too() {
    Scenario scenario =
        new Scenario(
            "given up", Consistency.EXACTLY_ONCE, 5, List.of(20, Scenario.POISON, 20, 3_000, 10));
    int deaths = 0;
    for (int effect = 1; effect <= 60; effect++) {
      for (boolean after : List.of(false, true)) {
        CrashPoint crash = CrashPoint.dies(effect, after);
        Ran ran = run(scenario, effect, false, simulation -> oneAtATime(simulation, 6, crash));
        assertThat(ran.count(TaskStatus.FAILED)).as("%s", crash).isEqualTo(1);
        deaths += ran.simulation().workers().get(5).process().dead() ? 1 : 0;
      }
    }
    assertThat(deaths).isGreaterThan(20);
  }

  /** One worker after the other; the n-th dies somewhere of itself. */
  private static void oneAtATime(Simulation simulation, int nth, CrashPoint crash) {
    boolean here = simulation.workers().size() + 1 == nth;
    SimWorker worker =
        simulation.join(
            WorkerSetup.of(2), here ? crash : CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
    worker
        .process()
        .onStop(() -> Ran.in(simulation, JVM_START, () -> oneAtATime(simulation, nth, crash)));
  }

  @Test
  void at_most_once_runs_poison_once() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(Scenario.poisoned(Consistency.AT_MOST_ONCE), seed, false, PoisonTest::fleet);

      assertThat(ran.startsOf(2)).isEqualTo(1);
      assertThat(ran.count(TaskStatus.LOST)).isPositive();
    }
  }

  @Test
  void run_without_workers_for_three_minutes_is_not_given_up() {
    Ran ran =
        run(
            Scenario.poisoned(Consistency.EXACTLY_ONCE).without(Scenario.POISON),
            1,
            false,
            simulation -> Ran.in(simulation, 180_000, () -> fleet(simulation)));

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(ran.scenario().size());
    assertThat(ran.deadLetters()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_LEAST_ONCE"})
  void failing_tasks_are_tried_as_often_as_they_may(Consistency mode) {
    Scenario scenario =
        new Scenario(
            "flaky",
            mode,
            4,
            List.of(
                10,
                Scenario.flaky(1, 20),
                Scenario.flaky(2, 10),
                10,
                Scenario.flaky(3, 10),
                5,
                Scenario.flaky(9, 5)));
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(scenario, seed, seed % 2 == 0, PoisonTest::fleet);

      assertThat(ran.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(2);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(5);
    }
  }
}
