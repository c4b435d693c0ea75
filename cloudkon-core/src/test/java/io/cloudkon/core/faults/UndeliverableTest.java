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

/** For a while results can go nowhere, at any moment of a run. */
class UndeliverableTest {
  private static final int SEEDS = 60;
  private static final long FOR = 45_000;

  private static World run(Scenario scenario, long seed, boolean stormy, Consumer<World> script) {
    Settings settings =
        stormy ? Settings.stormy(seed, Misbehaviour.storm(seed), 120_000) : Settings.calm(seed);
    return Runs.run(
        scenario,
        settings,
        "undeliverable",
        world -> {
          world.agenda.in(seed * 40, () -> world.resultsGoNowhere(FOR));
          script.accept(world);
        });
  }

  private static void twoWorkers(World world) {
    SimWorker unused = world.join(2, CrashPoint.NEVER);
    unused = world.join(1, CrashPoint.NEVER);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void every_task_is_answered_for_in_the_end(Consistency mode) {
    int lost = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      for (Scenario scenario : List.of(Scenarios.plain(mode), Scenarios.handedOn(mode))) {
        World world = run(scenario, seed, false, UndeliverableTest::twoWorkers);

        lost += world.client.count(TaskStatus.LOST);
        assertThat(world.client.count(TaskStatus.LOST) + world.client.count(TaskStatus.SUCCEEDED))
            .isEqualTo(world.scenario.tasks());
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
      World unused =
          run(
              Scenarios.random(mode, seed),
              seed,
              seed % 2 == 0,
              world -> {
                SimWorker leaves = world.join(2, CrashPoint.NEVER);
                SimWorker dies = world.join(2, CrashPoint.dies(1 + effect, at % 3 == 0));
                world.agenda.in(at * 97, () -> leaves.drain(2_000));
                dies.life().onStop(() -> world.agenda.in(500, () -> twoWorkers(world)));
                world.agenda.in(60_000, () -> twoWorkers(world));
              });
    }
  }

  @Test
  void bundles_given_back_count_no_attempt() {
    // Long enough for each to be given back more often than it may be tried.
    long several = 8 * SimCalls.HIDDEN;
    World world =
        Runs.run(
            Scenarios.plain(Consistency.EXACTLY_ONCE),
            Settings.calm(1),
            "undeliverable",
            w -> {
              w.resultsGoNowhere(several);
              twoWorkers(w);
            });

    assertThat(world.client.count(TaskStatus.SUCCEEDED)).isEqualTo(world.scenario.tasks());
    assertThat(world.witness.startsOf(0)).isGreaterThan(5);
    assertThat(world.cluster.dead().depth().waiting()).isZero();
  }
}
