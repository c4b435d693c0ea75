package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.chaos.ChaosRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeds with a fleet that grows with its queue and ends itself: workers, clients and provisioners
 * die, leave and are stopped anywhere, launches are refused, come up late, twice or never. {@code
 * -Dcloudkon.chaos.seeds=N} runs N of them in each mode, {@code -Dcloudkon.chaos.from=S} begins at
 * another one than 1.
 */
class SeededFleetTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.chaos.seeds", 150);
  private static final long FROM = Long.getLong("cloudkon.chaos.from", 1);

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void every_seed_with_a_growing_fleet_keeps_the_promises(Consistency mode) {
    for (long seed = FROM; seed < FROM + SEEDS; seed++) {
      Outcome unused = ChaosRun.runFleet(seed, mode, null);
    }
  }
}
