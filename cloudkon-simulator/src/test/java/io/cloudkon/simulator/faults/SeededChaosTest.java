package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.chaos.ChaosRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Seeds, each with its own runs, faults and timing. {@code -Dcloudkon.chaos.seeds=N} runs N of them
 * in each mode, {@code -Dcloudkon.chaos.from=S} begins at another one than 1. A seed that fails
 * says which command runs it again.
 */
class SeededChaosTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.chaos.seeds", 500);
  private static final long FROM = Long.getLong("cloudkon.chaos.from", 1);

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void every_seed_keeps_the_promises(Consistency mode) {
    for (long seed = FROM; seed < FROM + SEEDS; seed++) {
      Outcome unused = ChaosRun.run(seed, mode, null);
    }
  }
}
