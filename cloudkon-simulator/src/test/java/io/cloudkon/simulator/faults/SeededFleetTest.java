package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.ChaosRun;
import io.cloudkon.simulator.chaos.FleetChaos;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeds with a fleet that grows with its queue and ends itself: workers, clients and provisioners
 * die, leave and are stopped anywhere, launches are refused, come up late, twice or never. {@code
 * -Dcloudkon.chaos.seeds=N} runs N of them in each mode, {@code -Dcloudkon.chaos.from=S} begins at
 * another one than 1.
 */
class SeededFleetTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.chaos.seeds", 40);
  private static final long FROM = Long.getLong("cloudkon.chaos.from", 1);

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void every_seed_with_a_growing_fleet_keeps_the_promises(Consistency mode) {
    for (long seed = FROM; seed < FROM + SEEDS; seed++) {
      Outcome unused = ChaosRun.runFleet(seed, mode, null);
    }
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource({
    "40, AT_MOST_ONCE, looking took longer than the lease ran on, so that no decision was ever"
        + " closed",
    "25, EXACTLY_ONCE, two workers lived on one instance, and both had a seat",
    "2162, EXACTLY_ONCE, workers that had only run ranks passed for futile ones",
    "1239, AT_LEAST_ONCE, calls of seconds, and a worker that lived passed for silent",
    "5756, EXACTLY_ONCE, a job waited for room that another worker had done meanwhile",
    "13182, EXACTLY_ONCE, a provisioner that slept took its workers for dead",
    "5800, AT_MOST_ONCE, a provisioner's lease ended in a worker's eyes while it could read"
        + " nothing",
    "23764, AT_MOST_ONCE, a job was said to be too large for the same reason",
    "28222, EXACTLY_ONCE, a provisioner that had not looked yet knew nothing of other workers",
    "30006, AT_MOST_ONCE, workers of a launch without an answer were waited for without end",
    "35192, EXACTLY_ONCE, likewise, and a job waited for the room that they kept",
    "4536, AT_LEAST_ONCE, a launch without an answer took effect after its decision was closed",
    "15827, AT_LEAST_ONCE, the same with three workers",
    "2616, AT_MOST_ONCE, nobody was left to delete an offer of a rank",
  })
  void seed_with_a_growing_fleet_that_failed_keeps_the_promises_now(
      long seed, Consistency mode, String what) {
    // Without faults that came later, so that each seed tells what it told.
    Chaos chaos = FleetChaos.of(seed, mode);
    Outcome unused = Simulation.run(chaos.setup(), chaos.script());
  }
}
