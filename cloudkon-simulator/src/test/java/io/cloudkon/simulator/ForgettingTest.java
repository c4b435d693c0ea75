package io.cloudkon.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.SleepTasks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims are forgotten for want of memory only: nobody can tell. */
class ForgettingTest {
  private static final CloudSettings FORGETS = CloudSettings.calm(Latencies.TODAY);

  private static List<String> history(CloudSettings cloud, Consistency consistency) {
    List<String> lines = new ArrayList<>();
    Outcome unused =
        Simulation.run(
            Setup.of(3, 4, WorkerSetup.of(2), List.of(new SleepTasks(2_000, 20)), cloud)
                .with(consistency)
                .withTrace(lines::add));
    return lines;
  }

  @ParameterizedTest
  @EnumSource
  void history_is_the_same_whether_claims_that_are_done_are_forgotten_or_not(
      Consistency consistency) {
    assertThat(FORGETS.compact()).isTrue();
    CloudSettings remembers = FORGETS.with(FaultSettings.NONE);
    assertThat(remembers.compact()).isFalse();

    List<String> history = history(FORGETS, consistency);

    assertThat(history).hasSizeGreaterThan(2_000);
    assertThat(history(remembers, consistency)).isEqualTo(history);
  }
}
