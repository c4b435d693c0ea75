package io.cloudkon.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
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
  private static void fleet(World world) {
    restarted(world);
    restarted(world);
  }

  private static void restarted(World world) {
    SimWorker worker = world.join(2, CrashPoint.NEVER);
    worker.life().onStop(() -> world.agenda.in(JVM_START, () -> restarted(world)));
  }

  private static World run(Scenario scenario, long seed, boolean stormy, Consumer<World> script) {
    Settings settings =
        stormy ? Settings.stormy(seed, Misbehaviour.storm(seed), 60_000) : Settings.calm(seed);
    return Runs.run(scenario, settings, "poison", script);
  }

  private static Scenario poisoned(Consistency mode) {
    return new Scenario(
        "poisoned",
        mode,
        List.of(
            List.of(20, 30, Scenario.POISON, 20, 20, 10),
            List.of(10, 10, 3_000, 10),
            List.of(5, 5, 5, 5, 5, 5, 5, 5)));
  }

  @Test
  void task_that_kills_its_workers_fails_alone_and_within_three_minutes() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = run(poisoned(Consistency.EXACTLY_ONCE), seed, false, PoisonTest::fleet);

      assertThat(world.client.count(TaskStatus.FAILED)).isEqualTo(1);
      assertThat(world.client.count(TaskStatus.SUCCEEDED)).isEqualTo(world.scenario.tasks() - 1);
      assertThat(world.agenda.now()).as("seed %d", seed).isLessThan(180_000);
      assertThat(world.cluster.dead().depth().waiting()).isPositive();
    }
  }

  @Test
  void two_tasks_that_kill_their_workers_fail_and_nobody_else() {
    Scenario scenario =
        new Scenario(
            "twice poisoned",
            Consistency.EXACTLY_ONCE,
            List.of(
                List.of(20, Scenario.POISON, 20, 20, Scenario.POISON, 10),
                List.of(10, Scenario.POISON),
                List.of(5, 5, 5, 5)));
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = run(scenario, seed, false, PoisonTest::fleet);

      assertThat(world.client.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(3);
    }
  }

  @Test
  void poison_is_found_in_a_storm_too() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = run(poisoned(Consistency.EXACTLY_ONCE), seed, true, PoisonTest::fleet);

      assertThat(world.client.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(1);
    }
  }

  @Test
  void worker_that_gives_up_a_bundle_may_die_at_any_effect_too() {
    Scenario scenario =
        new Scenario(
            "given up",
            Consistency.EXACTLY_ONCE,
            List.of(List.of(20, Scenario.POISON, 20, 3_000, 10)));
    int deaths = 0;
    for (int effect = 1; effect <= 60; effect++) {
      for (boolean after : List.of(false, true)) {
        CrashPoint crash = CrashPoint.dies(effect, after);
        World world = run(scenario, effect, false, w -> oneAtATime(w, 6, crash));
        assertThat(world.client.count(TaskStatus.FAILED)).as("%s", crash).isEqualTo(1);
        deaths += world.workers.get(5).life().dead() ? 1 : 0;
      }
    }
    assertThat(deaths).isGreaterThan(20);
  }

  /** One worker after the other; the n-th dies somewhere of itself. */
  private static void oneAtATime(World world, int nth, CrashPoint crash) {
    SimWorker worker = world.join(2, world.workers.size() + 1 == nth ? crash : CrashPoint.NEVER);
    worker.life().onStop(() -> world.agenda.in(JVM_START, () -> oneAtATime(world, nth, crash)));
  }

  @Test
  void at_most_once_runs_poison_once() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = run(poisoned(Consistency.AT_MOST_ONCE), seed, false, PoisonTest::fleet);

      assertThat(world.witness.startsOf(2)).isEqualTo(1);
      assertThat(world.client.count(TaskStatus.LOST)).isPositive();
    }
  }

  @Test
  void run_without_workers_for_three_minutes_is_not_given_up() {
    World world =
        run(
            poisoned(Consistency.EXACTLY_ONCE).without(Scenario.POISON),
            1,
            false,
            w -> w.agenda.in(180_000, () -> fleet(w)));

    assertThat(world.client.count(TaskStatus.SUCCEEDED)).isEqualTo(world.scenario.tasks());
    assertThat(world.cluster.dead().depth().waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_LEAST_ONCE"})
  void failing_tasks_are_tried_as_often_as_they_may(Consistency mode) {
    Scenario scenario =
        new Scenario(
            "flaky",
            mode,
            List.of(
                List.of(10, Scenario.flaky(1, 20), Scenario.flaky(2, 10), 10),
                List.of(Scenario.flaky(3, 10), 5, Scenario.flaky(9, 5))));
    for (long seed = 1; seed <= SEEDS; seed++) {
      boolean stormy = seed % 2 == 0;
      World world = run(scenario, seed, stormy, PoisonTest::fleet);

      assertThat(world.client.count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(2);
      assertThat(world.client.count(TaskStatus.SUCCEEDED)).isEqualTo(5);
    }
  }
}
