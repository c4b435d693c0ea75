package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Once faults are over, no message waits beside a free slot of a worker that can take it. */
class WaitingMessagesTest {
  private static final FaultSettings NO_RECEIVE =
      Faulty.odds(Set.of(Call.REQUEST_RECEIVE), new Odds(1, 0, 0, 0));

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_receives_as_soon_as_receives_succeed_again(Consistency mode) {
    Scenario scenario = Scenario.plain(mode);
    Ran ran = Ran.of(scenario, 1, NO_RECEIVE, "no receive", simulation -> simulation.join(2));
    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(scenario.size());
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_that_receives_no_more_is_found(Consistency mode) {
    Setup setup =
        Ran.setup(Scenario.plain(mode), 1, NO_RECEIVE).with(Bug.DEAF_AFTER_FAILED_RECEIVE.twist());
    assertThatThrownBy(
            () -> {
              Outcome unused = Simulation.run(setup, simulation -> simulation.join(2));
            })
        .isInstanceOf(Violation.class)
        .hasMessageContaining("a message waits since");
  }
}
