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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The SDK makes a second attempt at a call whose first one took effect: a conditional write is
 * refused then, because of itself.
 */
class SdkRetriesTest {
  private static final int TIMINGS = 10;
  private static final Odds HALF = new Odds(0, 0, 0, 0, 0.5);

  static Stream<Arguments> calls() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode -> Arrays.stream(Call.values()).map(call -> Arguments.of(mode, call)));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void second_attempt_at_every_second_call_changes_nothing(Consistency mode, Call call) {
    eachTaskStartsOnce(mode, Set.of(call));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void second_attempts_at_half_of_all_calls_change_nothing(Consistency mode) {
    eachTaskStartsOnce(mode, EnumSet.allOf(Call.class));
  }

  private static void eachTaskStartsOnce(Consistency mode, Set<Call> calls) {
    Scenario scenario = Scenario.handedOn(mode);
    for (long seed = 1; seed <= TIMINGS; seed++) {
      Ran ran =
          Ran.of(
              scenario,
              seed,
              Faulty.odds(calls, HALF),
              "repeated by the SDK",
              SdkRetriesTest::twoWorkers);
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(scenario.size());
      for (int ordinal = 0; mode.claims() && ordinal < scenario.size(); ordinal++) {
        assertThat(ran.startsOf(ordinal)).as("starts of %d", ordinal).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void worker_that_takes_its_own_write_for_another_owners_is_found(Consistency mode) {
    FaultSettings faults = Faulty.odds(Set.of(Call.CLAIM_WRITE), HALF);
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= TIMINGS; seed++) {
                Setup setup =
                    Ran.setup(Scenario.handedOn(mode), seed, faults)
                        .with(Bug.RETRIED_WRITE_TAKEN_AS_FENCED.twist());
                Outcome unused = Simulation.run(setup, SdkRetriesTest::twoWorkers);
              }
            })
        .isInstanceOf(Violation.class)
        .hasMessageContaining("nothing happened to");
  }

  private static void twoWorkers(Simulation simulation) {
    simulation.join(2);
    simulation.join(2);
  }
}
