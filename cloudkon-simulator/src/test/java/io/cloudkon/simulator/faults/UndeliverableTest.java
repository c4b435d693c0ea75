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

/** For a while results can go nowhere, at any moment of a run. */
class UndeliverableTest {
  private static final int SEEDS = 60;
  private static final long FOR = 45_000;

  /** For how long a worker hides a bundle whose results can go nowhere. */
  private static final long HIDDEN = 600_000;

  private static Ran run(
      Scenario scenario, long seed, boolean stormy, Consumer<Simulation> script) {
    return Ran.of(
        scenario,
        seed,
        stormy ? Faulty.storm(120) : FaultSettings.NONE,
        "undeliverable",
        simulation -> {
          nowhere(simulation, seed * 40, FOR);
          script.accept(simulation);
        });
  }

  /** For so many milliseconds no worker's results find a place, whoever joins meanwhile. */
  private static void nowhere(Simulation simulation, long from, long millis) {
    for (long at = from; at < from + millis; at += 1_000) {
      Ran.in(simulation, at, () -> everywhere(simulation, true));
    }
    Ran.in(simulation, from + millis, () -> everywhere(simulation, false));
  }

  private static void everywhere(Simulation simulation, boolean nowhere) {
    simulation.workers().forEach(worker -> worker.resultsGoNowhere(nowhere));
  }

  private static void twoWorkers(Simulation simulation) {
    simulation.join(2);
    simulation.join(1);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void every_task_is_answered_for_in_the_end(Consistency mode) {
    long lost = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      for (Scenario scenario : List.of(Scenario.plain(mode), Scenario.handedOn(mode))) {
        Ran ran = run(scenario, seed, false, UndeliverableTest::twoWorkers);

        lost += ran.count(TaskStatus.LOST);
        assertThat(ran.count(TaskStatus.LOST) + ran.count(TaskStatus.SUCCEEDED))
            .isEqualTo(scenario.size());
      }
    }
    // What ran and could not be told may not run again there, and only there.
    assertThat(lost > 0).isEqualTo(mode == Consistency.AT_MOST_ONCE);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void storms_and_workers_that_leave_or_die_change_nothing(Consistency mode) {
    for (long seed = 1; seed <= 2 * SEEDS; seed++) {
      int effect = (int) (seed % 40);
      long at = seed;
      Ran unused =
          run(
              seed % 3 == 0 ? Scenario.drained(mode) : Scenario.handedOn(mode),
              seed,
              seed % 2 == 0,
              simulation -> {
                SimWorker leaves = simulation.join(2);
                SimWorker dies =
                    simulation.join(
                        WorkerSetup.of(2),
                        CrashPoint.dies(1 + effect, at % 3 == 0),
                        SimProcess.Clocks.RIGHT);
                Ran.in(simulation, at * 97, () -> leaves.drain(2_000));
                dies.process().onStop(() -> Ran.in(simulation, 500, () -> twoWorkers(simulation)));
                Ran.in(simulation, 60_000, () -> twoWorkers(simulation));
              });
    }
  }

  @Test
  void bundles_given_back_count_no_attempt() {
    // Long enough for each to be given back more often than it may be tried.
    Ran ran =
        Ran.calm(
            Scenario.plain(Consistency.EXACTLY_ONCE),
            1,
            "undeliverable",
            simulation -> {
              nowhere(simulation, 0, 8 * HIDDEN);
              twoWorkers(simulation);
            });

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(ran.scenario().size());
    assertThat(ran.startsOf(0)).isGreaterThan(5);
    assertThat(ran.deadLetters()).isZero();
  }
}
