package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.chaos.ChaosRun;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Chaos by seed with workers that can start no task for a while. The witness holds that no task
 * ends FAILED for that unless five sick workers gave its bundle back.
 */
class SickWorkersTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.sick.seeds", 40);

  /** To see that workers do fall sick; a trace takes time. */
  private static final int TRACED = 10;

  @ParameterizedTest
  @EnumSource
  void sick_workers_break_no_promise_whatever_else_goes_wrong(Consistency consistency) {
    AtomicInteger gaveBack = new AtomicInteger();
    for (long seed = 0; seed < SEEDS; seed++) {
      Outcome outcome =
          ChaosRun.runSick(
              seed,
              consistency,
              seed < TRACED
                  ? line -> {
                    if (line.contains("it is sick and gives back")) {
                      gaveBack.incrementAndGet();
                    }
                  }
                  : null);
      assertThat(outcome.tasks()).isPositive();
    }
    assertThat(gaveBack).hasPositiveValue();
  }
}
