package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker, or a client, dies at every place where it can, just before an effect and just after;
 * another one carries on.
 */
class CrashAtEveryEffectTest {
  /** Effects that do not wait for each other come in another order with each timing. */
  private static final int TIMINGS = 3;

  private static final long DEATH = 0;

  /** Longer than lease and margin, so that its successor is well under way. */
  private static final long PAUSE = 19_500;

  /** Nothing more: the worker is left alone. */
  private static void undisturbed(Simulation simulation) {}

  /** The first worker is told to leave after a while. */
  private static void drained(Simulation simulation) {
    SimWorker first = simulation.workers().getFirst();
    Ran.in(simulation, 400, () -> first.drain(1_000));
    Ran.in(simulation, 600, () -> simulation.join(2));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenario.plain(mode), CrashAtEveryEffectTest::undisturbed, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_of_long_tasks_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenario.handedOn(mode), CrashAtEveryEffectTest::undisturbed, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_of_its_drain_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenario.drained(mode), CrashAtEveryEffectTest::drained, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_is_stopped_at_any_effect_and_goes_on_past_its_lease_does_no_harm(
      Consistency mode) {
    everyCrash(Scenario.plain(mode), CrashAtEveryEffectTest::undisturbed, PAUSE);
    everyCrash(Scenario.handedOn(mode), CrashAtEveryEffectTest::undisturbed, PAUSE);
    everyCrash(Scenario.drained(mode), CrashAtEveryEffectTest::drained, PAUSE);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void successor_that_dies_at_any_effect_is_replaced_without_loss(Consistency mode) {
    Scenario scenario = Scenario.handedOn(mode);
    int effects = effectsWithoutCrash(scenario, CrashAtEveryEffectTest::undisturbed, 2);
    int crashes = 0;
    for (int first = 3; first < effects; first += 5) {
      CrashPoint firstCrash = CrashPoint.dies(first, true);
      for (int k = 1; crashes(scenario, firstCrash, CrashPoint.dies(k, k % 2 == 0)); k++) {
        crashes++;
      }
    }
    assertThat(crashes).isGreaterThan(effects);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void client_that_dies_at_any_effect_is_resumed_without_loss(Consistency mode) {
    everyCrashOfTheClient(Scenario.plain(mode), DEATH);
    everyCrashOfTheClient(Scenario.handedOn(mode), DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void client_that_is_stopped_at_any_effect_while_another_resumes_does_no_harm(Consistency mode) {
    everyCrashOfTheClient(Scenario.plain(mode), PAUSE);
    everyCrashOfTheClient(Scenario.handedOn(mode), 2 * PAUSE);
  }

  private static void everyCrash(Scenario scenario, Consumer<Simulation> script, long pause) {
    for (long timing = 1; timing <= TIMINGS; timing++) {
      int effects = effectsWithoutCrash(scenario, script, timing);
      assertThat(effects).isGreaterThan(scenario.size());
      for (int k = 1; k <= effects; k++) {
        for (boolean after : List.of(false, true)) {
          Ran unused = run(scenario, script, timing, new CrashPoint(k, after, pause));
        }
      }
    }
  }

  private static int effectsWithoutCrash(
      Scenario scenario, Consumer<Simulation> script, long timing) {
    Ran ran = run(scenario, script, timing, CrashPoint.NEVER);
    for (int ordinal = 0; ordinal < scenario.size(); ordinal++) {
      assertThat(ran.startsOf(ordinal)).as("starts of %d", ordinal).isBetween(1, 2);
    }
    return ran.simulation().workers().getFirst().process().effects();
  }

  private static Ran run(
      Scenario scenario, Consumer<Simulation> script, long timing, CrashPoint crash) {
    return Ran.calm(
        scenario,
        timing,
        crash.toString(),
        simulation -> {
          joinWith(simulation, crash, () -> simulation.join(2));
          script.accept(simulation);
        });
  }

  private static void joinWith(Simulation simulation, CrashPoint crash, Runnable successor) {
    simulation.join(WorkerSetup.of(2), crash, SimProcess.Clocks.RIGHT).process().onStop(successor);
  }

  /** Whether the successor lived long enough to die there. */
  private static boolean crashes(Scenario scenario, CrashPoint first, CrashPoint second) {
    Ran ran =
        Ran.calm(
            scenario,
            2,
            first + ", then " + second,
            simulation ->
                joinWith(
                    simulation,
                    first,
                    () -> joinWith(simulation, second, () -> simulation.join(2))));
    return ran.simulation().workers().size() > 2;
  }

  private static void everyCrashOfTheClient(Scenario scenario, long pause) {
    for (long timing = 1; timing <= TIMINGS; timing++) {
      int effects = runClient(scenario, timing, CrashPoint.NEVER);
      assertThat(effects).isGreaterThan(3);
      for (int k = 1; k <= effects; k++) {
        for (boolean after : List.of(false, true)) {
          int unused = runClient(scenario, timing, new CrashPoint(k, after, pause));
        }
      }
    }
  }

  /** Gives how many effects the client had that holds the run last. */
  private static int runClient(Scenario scenario, long timing, CrashPoint crash) {
    Ran ran =
        Ran.calm(
            scenario,
            timing,
            "client: " + crash,
            simulation -> {
              simulation.join(2);
              simulation.notOverBefore(3 * PAUSE * 1000);
              simulation
                  .clientWith(0, crash)
                  .process()
                  .onStop(() -> simulation.resume(0, CrashPoint.NEVER));
            });
    return ran.simulation().client(0).process().effects();
  }
}
