package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.ChaosRun;
import io.cloudkon.simulator.check.Violation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Seeds of mixed faults under {@code --preset original}, whose claims are written once. */
class OriginalChaosTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.chaos.seeds", 300);
  private static final long FROM = Long.getLong("cloudkon.chaos.from", 1);
  private static final int SEEDS_OF_A_BUG = 500;

  @Test
  void every_seed_keeps_the_promises_and_some_lose_tasks() {
    long lost = 0;
    for (long seed = FROM; seed < FROM + SEEDS; seed++) {
      Outcome outcome = ChaosRun.runOriginal(seed, null);
      lost += outcome.measures().count(TaskStatus.LOST);
    }
    assertThat(lost).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"LIVE_LEASE_TAKEN", "ACKNOWLEDGED_EARLY", "LOST_FINAL_AT_ONCE"})
  void planted_bug_is_found_by_what_a_user_sees(Bug bug) {
    assertThat(LongStream.rangeClosed(1, SEEDS_OF_A_BUG)).anyMatch(seed -> isFound(bug, seed));
  }

  private static boolean isFound(Bug bug, long seed) {
    Chaos chaos = Chaos.of(seed, Consistency.AT_MOST_ONCE).asPublished();
    try {
      Outcome unused = Simulation.run(chaos.setup().with(bug.twist()), chaos.script());
      return false;
    } catch (Violation found) {
      return true;
    }
  }
}
