package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Consistency;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds, each with its own messages, faults and timing, where each task has a claim. */
class TaskClaimsChaosTest {
  private static final int SEEDS = 150;

  @ParameterizedTest
  @CsvSource({"AT_MOST_ONCE,1", "AT_MOST_ONCE,12", "EXACTLY_ONCE,1", "EXACTLY_ONCE,12"})
  void every_seed_keeps_the_promises(Consistency mode, int tasksPerMessage) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        new TaskClaimsWorld(seed, mode, 40, tasksPerMessage).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed %d in %s".formatted(seed, mode), e);
      }
    }
  }
}
