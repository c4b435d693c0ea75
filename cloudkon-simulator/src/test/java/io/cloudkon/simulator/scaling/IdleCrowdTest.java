package io.cloudkon.simulator.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.report.PublishedStage;
import io.cloudkon.simulator.scaling.ScaledRun.Load;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many workers that have nothing to do at the same moment. */
class IdleCrowdTest {
  private static final int CROWD = 100;
  private static final int BOOT = 20;
  private static final double INTERVAL = 5;
  private static final double LEASE = LeaseSettings.DEFAULT.lease() / 1000.0;

  /** As many as there are tasks, all at once. */
  private static ScalingSetup crowd(int min, int max) {
    ScalingSetup usual = ScalingSetup.of(min, max, 1);
    ProvisioningSettings told = usual.provisioning();
    return usual
        .with(
            new ProvisioningSettings(
                new Policy.DrainTime(1_000),
                min,
                max,
                1,
                told.takes(),
                told.interval(),
                told.bootTimeout(),
                0,
                told.maxHourly(),
                0))
        .with(BootSettings.of(BOOT * 1_000_000L, BOOT * 1_000_000L));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "1, 3", "5, 4", "5, 5", "20, 6"})
  void hundred_idle_workers_leave_exactly_the_minimum_by_few_calls(int min, long seed) {
    // That the minimum is kept, exactly and for good, is what every simulation checks at its end.
    ScaledRun run =
        ScaledRun.of(seed, crowd(min, CROWD), List.of(new Load(0, new SleepTasks(CROWD, 30_000))));

    assertThat(run.most()).isEqualTo(CROWD);
    assertThat(run.fleet().launches().count()).isEqualTo(1);
    assertThat(run.fleet().workers())
        .allSatisfy(one -> {
          String worker = one.worker().process().name();
          assertThat(run.fleet().cloud().decisions().refusedTo(worker)).isLessThanOrEqualTo(min);
          assertThat(run.fleet().cloud().decisions().soughtBy(worker)).isLessThanOrEqualTo(min + 1);
        });
  }

  /** Of workers that stay, so many die at a time; those that are to replace them were not idle. */
  @ParameterizedTest
  @CsvSource({"1, 1, 7", "3, 1, 8", "3, 3, 9", "5, 2, 10"})
  void dead_seat_is_filled_or_a_launch_begins_in_time(int min, int dying, long seed) {
    double[] died = {0};
    double[] mended = {Double.MAX_VALUE};
    ScaledRun run =
        ScaledRun.of(
            seed,
            crowd(min, 10),
            List.of(new Load(0, new SleepTasks(10, 5_000)), new Load(400, new SleepTasks(1, 10))),
            (simulation, fleet) -> {
              var unused = fleet.provisioner();
              simulation
                  .world()
                  .timeline()
                  .in(
                      200L * ScaledRun.SECOND,
                      () -> {
                        assertThat(fleet.live()).hasSize(min);
                        fleet.live().stream()
                            .limit(dying)
                            .toList()
                            .forEach(one -> one.worker().process().die());
                        died[0] = 200;
                      });
              fleet.onPlan(plan -> {
                double now = simulation.world().timeline().now() / 1e6;
                if (died[0] > 0 && plan.launch() > 0) {
                  mended[0] = Math.min(mended[0], now);
                }
              });
            });

    assertThat(mended[0] - 200).isLessThanOrEqualTo(LEASE + INTERVAL);
    assertThat(run.fleet().launches().count()).isEqualTo(2);
  }

  /** The survivor is at work when the seat falls free, so enough workers live all the time. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void dead_seat_is_taken_by_a_live_worker_and_nothing_is_launched(long seed) {
    List<String> seats = new ArrayList<>();
    ScaledRun run =
        ScaledRun.of(
            seed,
            crowd(1, 2),
            List.of(
                new Load(0, new SleepTasks(2, 5_000)),
                new Load(70, new SleepTasks(1, 60_000)),
                new Load(300, new SleepTasks(1, 10))),
            (simulation, fleet) -> {
              var unused = fleet.provisioner();
              Timeline timeline = simulation.world().timeline();
              timeline.in(
                  110L * ScaledRun.SECOND,
                  () -> {
                    seats.add(seated(fleet));
                    fleet.live().stream()
                        .map(one -> one.worker().process())
                        .filter(process -> process.name().equals(seats.getFirst()))
                        .findFirst()
                        .orElseThrow()
                        .die();
                  });
              timeline.in(280L * ScaledRun.SECOND, () -> seats.add(seated(fleet)));
            });

    assertThat(seats).hasSize(2).doesNotHaveDuplicates();
    assertThat(run.fleet().launches().count()).isEqualTo(1);
  }

  private static String seated(ScaledFleet fleet) {
    assertThat(fleet.cloud().decisions().now().seats()).hasSize(1);
    return fleet.cloud().decisions().now().seats().getFirst().worker();
  }

  /** The submits come around the moment at which the first worker was seen to end itself. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void submits_at_the_moment_of_idling_out_wait_no_longer_than_for_a_boot(long seed) {
    List<Load> loads = new ArrayList<>();
    loads.add(new Load(0, new SleepTasks(8, 5_000)));
    loads.add(new Load(600, new SleepTasks(1, 10)));
    ScaledRun first = ScaledRun.of(seed, crowd(0, 8), loads);
    double idle =
        first.samples().stream()
            .filter(sample -> sample.second() > 40 && sample.live() < 8)
            .findFirst()
            .orElseThrow()
            .second();
    for (int i = 0; i < 200; i++) {
      loads.add(new Load(idle - 3 + i * 0.02, new SleepTasks(1, 100)));
    }
    ScaledRun run = ScaledRun.of(seed, crowd(0, 8), loads);

    long queued = run.outcome().measures().histogram(PublishedStage.QUEUE).getMaxValue();
    assertThat(queued / 1e6).isLessThanOrEqualTo(2 * INTERVAL + BOOT);
    assertThat(run.outcome().tasks()).isEqualTo(8 + 1 + 200);
  }
}
