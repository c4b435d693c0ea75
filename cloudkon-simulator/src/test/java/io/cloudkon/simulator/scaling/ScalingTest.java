package io.cloudkon.simulator.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.scaling.ScaledRun.Decided;
import io.cloudkon.simulator.scaling.ScaledRun.Load;
import io.cloudkon.simulator.scaling.ScaledRun.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Loads of known shapes on whole fleets: real workers and clients, boots of 20 to 120 s, the
 * default target of 5 min, interval of 5 s and idle timeout of 60 s.
 */
@Tag("slow")
class ScalingTest {
  private static final double INTERVAL = 5;
  private static final double TARGET = 300;
  private static final double MOST_BOOT = 120;
  private static final double IDLE = 60;

  @ParameterizedTest(name = "{0} tasks of {1} ms on {2} slots each, seed {3}")
  @CsvSource({
    "100, 1000, 4, 1",
    "4000, 1000, 2, 2",
    "2400, 10000, 4, 3",
    "9000, 10000, 4, 4",
  })
  void step_is_met_by_no_more_than_one_worker_too_many(
      int tasks, int millis, int slots, long seed) {
    ScaledRun run =
        ScaledRun.of(
            seed,
            ScalingSetup.of(0, 1000, slots),
            List.of(new Load(0, new SleepTasks(tasks, millis))));

    int needed = run.needed(tasks * (millis / 1000.0));
    assertThat(run.most()).isBetween(needed, needed + 1);
    assertThat(run.turns(0, Double.MAX_VALUE)).isLessThanOrEqualTo(1);
    assertThat(run.end()).isLessThanOrEqualTo(TARGET + MOST_BOOT);
    assertThat(run.launches().getFirst().atSeconds()).isLessThanOrEqualTo(2 * INTERVAL);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ramp_is_followed_without_going_back(long seed) {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      loads.add(new Load(i * 60, new SleepTasks(600, 4_000)));
    }
    ScaledRun run = ScaledRun.of(seed, ScalingSetup.of(0, 100, 4), loads);

    assertThat(run.most()).isLessThanOrEqualTo(run.needed(10 * 2_400) + 1);
    assertThat(run.turns(0, Double.MAX_VALUE)).isLessThanOrEqualTo(1);
    assertThat(run.end()).isLessThanOrEqualTo(9 * 60 + TARGET + MOST_BOOT);
  }

  @Test
  void burst_upon_a_small_load_is_drained_in_time() {
    List<Load> loads =
        List.of(
            new Load(0, new SleepTasks(3_000, 500)), new Load(200, new SleepTasks(6_000, 4_000)));
    ScaledRun run = ScaledRun.of(5, ScalingSetup.of(0, 100, 4), loads);

    assertThat(run.most()).isLessThanOrEqualTo(run.needed(25_500) + 2);
    assertThat(run.turns(0, Double.MAX_VALUE)).isLessThanOrEqualTo(1);
    assertThat(run.end()).isLessThanOrEqualTo(200 + TARGET + MOST_BOOT);
    assertThat(launchAfter(run, 200)).isLessThanOrEqualTo(2 * INTERVAL);
  }

  private static double launchAfter(ScaledRun run, double seconds) {
    return run.launches().stream()
            .mapToDouble(Decided::atSeconds)
            .filter(at -> at >= seconds)
            .findFirst()
            .orElse(Double.MAX_VALUE)
        - seconds;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void sawtooth_costs_hardly_more_than_if_it_were_known_before(long seed) {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      loads.add(new Load(i * 900, new SleepTasks(6_000, 2_000)));
    }
    ScaledRun run = ScaledRun.of(seed, ScalingSetup.of(0, 100, 4), loads);

    double needed = run.needed(12_000);
    double clairvoyant = loads.size() * (12_000 / 4.0 + needed * (run.meanBoot() + IDLE));
    assertThat(run.paidSeconds()).isLessThanOrEqualTo((long) (1.15 * clairvoyant));
    assertThat(run.end()).isLessThanOrEqualTo(4 * 900 + TARGET + MOST_BOOT);
  }

  @Test
  void nothing_to_do_launches_nothing() {
    ScaledRun run =
        ScaledRun.of(
            1, ScalingSetup.of(0, 10, 2), List.of(new Load(1_800, new SleepTasks(1, 100))));

    assertThat(run.launches()).allMatch(one -> one.atSeconds() >= 1_800);
    assertThat(launchAfter(run, 1_800)).isLessThanOrEqualTo(2 * INTERVAL);
    assertThat(run.most()).isEqualTo(1);
  }

  /** Until half an hour is over each worker dies two seconds after it came up. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void minimum_whose_workers_die_at_once_is_launched_less_and_less_often(long seed) {
    ScaledRun run =
        ScaledRun.of(
            seed,
            ScalingSetup.of(1, 10, 2).with(BootSettings.of(1_000_000, 2_000_000)),
            List.of(new Load(3_600, new SleepTasks(1, 100))),
            (simulation, fleet) -> {
              fleet.joinBy(setup -> {
                SimWorker worker =
                    simulation.join(setup, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
                if (simulation.world().timeline().now() < 1_800L * ScaledRun.SECOND) {
                  simulation.world().timeline().in(2_000_000, worker.process()::die);
                }
                return worker;
              });
              var unused = fleet.provisioner();
            });

    assertThat(run.launches()).hasSizeBetween(5, 12);
    assertThat(run.most()).isEqualTo(1);
  }

  @Test
  void backlog_that_is_older_than_the_provisioner_is_met_at_once() {
    ScaledRun run =
        ScaledRun.of(
            3,
            ScalingSetup.of(0, 100, 4),
            List.of(new Load(0, new SleepTasks(6_000, 2_000))),
            (simulation, fleet) ->
                simulation
                    .world()
                    .timeline()
                    .in(
                        240L * ScaledRun.SECOND,
                        () -> {
                          var unused = fleet.provisioner();
                        }));

    assertThat(launchAfter(run, 240)).isLessThanOrEqualTo(2 * INTERVAL);
    assertThat(run.most()).isBetween(run.needed(12_000), run.needed(12_000) + 1);
    assertThat(run.turns(0, Double.MAX_VALUE)).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void depth_that_is_a_minute_old_launches_no_worker_too_many(long seed) {
    List<Load> loads =
        List.of(
            new Load(0, new SleepTasks(4_000, 1_000)), new Load(420, new SleepTasks(4_000, 1_000)));
    ScaledRun run =
        ScaledRun.of(seed, ScalingSetup.of(0, 100, 4).withStale(60L * ScaledRun.SECOND), loads);

    assertThat(run.most()).isLessThanOrEqualTo(run.needed(4_000) + 1);
    assertThat(run.end()).isLessThanOrEqualTo(420 + TARGET + MOST_BOOT);
    assertThat(launchAfter(run, 0)).isLessThanOrEqualTo(2 * INTERVAL);
  }

  /** Each worker is busy at least once per idle timeout, so none is to end and be missed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void constant_load_ends_no_worker_that_is_launched_again_soon(long seed) {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      loads.add(new Load(i * 10, new SleepTasks(12, 1_500)));
    }
    ScaledRun run = ScaledRun.of(seed, ScalingSetup.of(0, 20, 2), loads);

    assertThat(exitsBeforeLaunches(run, 2 * IDLE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void load_that_comes_and_goes_makes_no_fleet_flap(long seed) {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      loads.add(new Load(i * 45, new SleepTasks(40, 500)));
    }
    ScaledRun run = ScaledRun.of(seed, ScalingSetup.of(0, 20, 2), loads);

    assertThat(run.turns(0, Double.MAX_VALUE)).isLessThanOrEqualTo(1);
    assertThat(run.fleet().launches().count()).isEqualTo(1);
  }

  /** How often an instance was launched within so many seconds after one ended. */
  private static int exitsBeforeLaunches(ScaledRun run, double seconds) {
    int count = 0;
    long exit = Long.MIN_VALUE / 2;
    int before = 0;
    for (Sample sample : run.samples()) {
      if (sample.existing() < before) {
        exit = sample.second();
      } else if (sample.existing() > before && sample.second() - exit <= seconds) {
        count++;
      }
      before = sample.existing();
    }
    return count;
  }
}
