package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The machine is replaced at random, before the intent, after it, and after the call. */
class ProvisioningRestartTest {
  private static final int MAX = 8;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 100);
  }

  private static FleetModel fleet(long seed, Policy policy) {
    ProvisioningSettings settings =
        new ProvisioningSettings(
            policy,
            (int) (seed % 3),
            MAX,
            2,
            WorkerTakes.ALL,
            5_000,
            150_000,
            0,
            Double.POSITIVE_INFINITY,
            0);
    FleetModel fleet = new FleetModel(seed, settings);
    fleet.rate = second -> second < 900 && second / 150 % 2 == 0 ? 6 : 0;
    fleet.provisioner.deaths = 0.2;
    fleet.crashes = seed % 2 == 0 ? 0.005 : 0;
    fleet.stillborn = seed % 5 == 0 ? 0.3 : 0;
    fleet.collected = seed % 7 != 0;
    fleet.durationKnown = false;
    return fleet;
  }

  private static void staysSafeAndFinishes(FleetModel fleet) {
    ModelHistory seen = fleet.run(3_600);

    assertThat(seen.mostInstances).isLessThanOrEqualTo(MAX);
    assertThat(seen.unfinished.getLast()).isZero();
    Map<String, Integer> decided =
        fleet.provisioner.decisions().values().stream()
            .collect(Collectors.toMap(Decision::token, Decision::count));
    assertThat(decided).containsAllEntriesOf(fleet.grants());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void drain_time_never_exceeds_the_maximum_and_loses_no_launch(long seed) {
    staysSafeAndFinishes(fleet(seed, new Policy.DrainTime(120_000)));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void growth_never_exceeds_the_maximum_and_loses_no_launch(long seed) {
    staysSafeAndFinishes(fleet(seed, new Policy.Growth(0, 2)));
  }
}
