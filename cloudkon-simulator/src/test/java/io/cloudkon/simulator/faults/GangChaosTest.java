package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.ChaosRun;
import io.cloudkon.simulator.chaos.GangChaos;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeds with HPC jobs: a fleet that hardly holds the largest gang, whose workers die, leave and are
 * stopped anywhere. {@code -Dcloudkon.chaos.seeds=N} runs N of them in each mode, {@code
 * -Dcloudkon.chaos.from=S} begins at another one than 1. In at-least-once jobs are claimed as they
 * are in exactly-once.
 */
class GangChaosTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.chaos.seeds", 60);
  private static final long FROM = Long.getLong("cloudkon.chaos.from", 1);

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void every_seed_with_gangs_keeps_the_promises(Consistency mode) {
    for (long seed = FROM; seed < FROM + SEEDS; seed++) {
      Outcome unused = ChaosRun.runHpc(seed, mode, null);
    }
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource({
    "7073, EXACTLY_ONCE, a job was too large for a ledger in which a worker was missing that had"
        + " been swept in an outage and was on its way back",
    "9075, EXACTLY_ONCE, likewise after an outage of half a minute",
    "23, EXACTLY_ONCE, a copy of an order to start came when its ranks had ended and started them"
        + " anew",
    "17, EXACTLY_ONCE, ranks on a machine that slept ran on beside those of the next attempt",
    "1196, AT_MOST_ONCE, a sub-worker that had left a gang came back to it and was waited for",
    "3262, AT_MOST_ONCE, calls of a second and more, and the ledger was looked at before the worker"
        + " whose job no longer wanted the reservation had read it twice",
    "21746, AT_MOST_ONCE, a client that was stopped before a receive woke and hid a result from its"
        + " successor, which said LOST",
    "19896, AT_MOST_ONCE, the simulation ended while a client that had taken its run back and died"
        + " had no successor yet",
    "360, EXACTLY_ONCE, an answer about the job before stopped ranks that had just started, and"
        + " the attempt counted",
    "8004, AT_MOST_ONCE, a call took two minutes, which no SDK waits for, and the worker did not"
        + " leave in that time",
  })
  void seed_with_gangs_that_failed_keeps_the_promises_now(
      long seed, Consistency mode, String what) {
    // Without workers that others cannot call, so that each seed tells what it told.
    Chaos chaos = GangChaos.of(seed, mode);
    Outcome unused = Simulation.run(chaos.setup(), chaos.script());
  }
}
