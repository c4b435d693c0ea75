package io.cloudkon.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker dies at every place where it can, just before an effect and just after; another one
 * carries on.
 */
class CrashAtEveryEffectTest {
  private static final int SLOTS = 2;

  /** Effects that do not wait for each other come in another order with each timing. */
  private static final int TIMINGS = 3;

  private static final long DEATH = 0;

  /** Longer than lease and margin, so that its successor is well under way. */
  private static final long PAUSE = 19_500;

  /** Nothing more: the worker is left alone. */
  private static final Consumer<World> UNDISTURBED = world -> {};

  /** The first worker is told to leave after a while. */
  private static final Consumer<World> DRAINED =
      world -> {
        SimWorker first = world.workers.getFirst();
        world.agenda.in(400, () -> first.drain(1_000));
        world.agenda.in(600, () -> world.join(SLOTS, CrashPoint.NEVER));
      };

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenarios.plain(mode), UNDISTURBED, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_of_long_tasks_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenarios.handedOn(mode), UNDISTURBED, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_dies_at_any_effect_of_its_drain_is_replaced_without_loss(Consistency mode) {
    everyCrash(Scenarios.drained(mode), DRAINED, DEATH);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_is_stopped_at_any_effect_and_goes_on_past_its_lease_does_no_harm(
      Consistency mode) {
    everyCrash(Scenarios.plain(mode), UNDISTURBED, PAUSE);
    everyCrash(Scenarios.handedOn(mode), UNDISTURBED, PAUSE);
    everyCrash(Scenarios.drained(mode), DRAINED, PAUSE);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void successor_that_dies_at_any_effect_is_replaced_without_loss(Consistency mode) {
    Scenario scenario = Scenarios.handedOn(mode);
    int effects = effectsWithoutCrash(scenario, UNDISTURBED, 2);
    int crashes = 0;
    for (int first = 3; first < effects; first += 5) {
      CrashPoint firstCrash = CrashPoint.dies(first, true);
      for (int k = 1; crashes(scenario, firstCrash, CrashPoint.dies(k, k % 2 == 0)); k++) {
        crashes++;
      }
    }
    assertThat(crashes).isGreaterThan(effects);
  }

  private static void everyCrash(Scenario scenario, Consumer<World> script, long pause) {
    for (long timing = 1; timing <= TIMINGS; timing++) {
      int effects = effectsWithoutCrash(scenario, script, timing);
      assertThat(effects).isGreaterThan(scenario.tasks());
      for (int k = 1; k <= effects; k++) {
        for (boolean after : List.of(false, true)) {
          run(scenario, script, timing, new CrashPoint(k, after, pause));
        }
      }
    }
  }

  private static int effectsWithoutCrash(Scenario scenario, Consumer<World> script, long timing) {
    World world = run(scenario, script, timing, CrashPoint.NEVER);
    for (int ordinal = 0; ordinal < scenario.tasks(); ordinal++) {
      assertThat(world.witness.startsOf(ordinal)).as("starts of %d", ordinal).isBetween(1, 2);
    }
    return world.workers.getFirst().effects();
  }

  private static World run(
      Scenario scenario, Consumer<World> script, long timing, CrashPoint crash) {
    return Runs.run(
        scenario,
        Settings.calm(timing),
        crash.toString(),
        world -> {
          SimWorker first = world.join(SLOTS, crash);
          first.life().onStop(() -> world.join(SLOTS, CrashPoint.NEVER));
          script.accept(world);
        });
  }

  /** Whether the successor lived long enough to die there. */
  private static boolean crashes(Scenario scenario, CrashPoint first, CrashPoint second) {
    World world =
        Runs.run(
            scenario,
            Settings.calm(2),
            first + ", then " + second,
            w ->
                w.join(SLOTS, first)
                    .life()
                    .onStop(() ->
                        w.join(SLOTS, second)
                            .life()
                            .onStop(() -> w.join(SLOTS, CrashPoint.NEVER))));
    return world.workers.size() > 2;
  }
}
