package io.cloudkon.core.protocol.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the fleet follows its load. Workers have two slots and boot in 20 to 120 s, tasks take 2 s on
 * average, the target is 5 min: so one worker finishes 1 task a second, 300 within the target.
 */
class ProvisioningLoadTest {
  private static final long TARGET = 300_000;
  private static final long BOOT = 120_000;
  private static final long INTERVAL = 5_000;
  private static final long IDLE = 60_000;

  private static ProvisioningSettings settings(int min, int max) {
    return new ProvisioningSettings(
        new Policy.DrainTime(TARGET),
        min,
        max,
        2,
        WorkerTakes.ALL,
        INTERVAL,
        300_000,
        0,
        Double.POSITIVE_INFINITY,
        0.1);
  }

  private static FleetModel fleet(long seed, LongToDoubleFunction rate) {
    FleetModel fleet = new FleetModel(seed, settings(0, 1_000));
    fleet.rate = rate;
    return fleet;
  }

  private static LongToDoubleFunction atOnce(int tasks) {
    return second -> second == 0 ? tasks : 0;
  }

  private static LongToDoubleFunction until(long end, LongToDoubleFunction rate) {
    return second -> second < end ? rate.applyAsDouble(second) : 0;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 300, 301, 3_000, 30_000, 300_000})
  void step_of_known_work_is_drained_in_target_plus_boot_by_as_many_as_needed(int tasks) {
    ModelHistory seen = fleet(tasks, atOnce(tasks)).run(1_000);

    assertThat(seen.peak()).isEqualTo((tasks + 299) / 300);
    assertThat(seen.launches).hasSize(1);
    assertThat(seen.turns()).isLessThanOrEqualTo(1);
    assertThat(seen.drainedAt()).isLessThanOrEqualTo(TARGET + BOOT + INTERVAL);
    assertThat(seen.size(999)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void step_of_unknown_work_starts_one_worker_and_then_as_many_as_needed(long seed) {
    FleetModel fleet = fleet(seed, atOnce(30_000));
    fleet.durationKnown = false;
    ModelHistory seen = fleet.run(1_200);
    long known = seen.firstUp() + 2 * INTERVAL + 3_000;

    assertThat(seen.peak(0, (int) (seen.firstUp() / 1_000))).isEqualTo(1);
    assertThat(seen.peak()).isEqualTo(100);
    assertThat(seen.turns()).isEqualTo(1);
    assertThat(seen.drainedAt()).isLessThanOrEqualTo(known + TARGET + BOOT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 20, 200, 500})
  void constant_load_is_followed_without_overshoot_and_without_a_relaunch(int load) {
    ModelHistory seen = fleet(load, until(7_200, second -> load)).run(9_000);

    assertThat(seen.peak()).isBetween(load, load + 1);
    assertThat(seen.turns()).isLessThanOrEqualTo(1);
    assertThat(seen.relaunches(2 * IDLE)).isZero();
    assertThat(seen.longestWait).isLessThanOrEqualTo(TARGET + BOOT);
    assertThat(seen.size(8_999)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ramp_is_followed_in_one_direction(long seed) {
    LongToDoubleFunction ramp = second -> Math.min(50, second * 50.0 / 1_800);
    ModelHistory seen = fleet(seed, until(5_400, ramp)).run(7_200);

    assertThat(seen.peak()).isBetween(50, 51);
    assertThat(seen.turns()).isEqualTo(1);
    assertThat(seen.longestWait).isLessThanOrEqualTo(TARGET + BOOT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void burst_on_a_constant_load_is_drained_in_time(long seed) {
    LongToDoubleFunction burst = second -> second == 1_800 ? 6_000 : 10;
    ModelHistory seen = fleet(seed, until(5_400, burst)).run(7_200);

    // 6,000 tasks and the 3,000 that a steady load of 10 leaves waiting.
    assertThat(seen.peak()).isBetween(20, 31);
    assertThat(seen.turns()).isEqualTo(1);
    assertThat(seen.longestWait).isLessThanOrEqualTo(TARGET + BOOT);
    assertThat(seen.relaunches(2 * IDLE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 30, 50})
  void load_that_flaps_faster_than_workers_idle_out_keeps_one_fleet(long half) {
    LongToDoubleFunction flapping = second -> second / half % 2 == 0 ? 20 : 0;
    ModelHistory seen = fleet(half, until(5_400, flapping)).run(7_200);

    assertThat(seen.peak()).isBetween(10, 12);
    assertThat(seen.turns()).isEqualTo(1);
    assertThat(seen.relaunches(2 * IDLE)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void empty_cluster_has_its_minimum(int min) {
    ModelHistory seen = new FleetModel(1, settings(min, 10)).run(3_600);

    assertThat(seen.peak()).isEqualTo(min);
    assertThat(seen.launched).isEqualTo(min);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void stale_depth_launches_nothing_beyond_the_runs_and_nothing_after_the_end(long seed) {
    FleetModel fleet = fleet(seed, atOnce(30_000));
    fleet.depthAge = 60_000;
    ModelHistory seen = fleet.run(3_600);

    assertThat(seen.launched).isEqualTo(100);
    assertThat(seen.size(3_599)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void depth_that_alone_speaks_for_a_run_sizes_the_fleet_once(long seed) {
    FleetModel fleet = fleet(seed, atOnce(30_000));
    fleet.collected = false;
    ModelHistory seen = fleet.run(3_600);

    assertThat(seen.launched).isEqualTo(100);
    assertThat(seen.drainedAt()).isLessThanOrEqualTo(TARGET + BOOT + INTERVAL);
    assertThat(seen.size(3_599)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void backlog_older_than_the_provisioner_is_seen_at_its_first_look(long seed) {
    FleetModel fleet = fleet(seed, until(600, second -> 50));
    fleet.provisionerFrom = 600_000;
    ModelHistory seen = fleet.run(1_800);

    assertThat(seen.launches).first().isEqualTo(600_000L);
    assertThat(seen.peak()).isEqualTo(100);
    assertThat(seen.drainedAt()).isLessThanOrEqualTo(600_000 + TARGET + BOOT + INTERVAL);
  }

  /** What three teeth cost, over what they cost a clairvoyant that lets no task wait longer. */
  private static double sawtoothOverClairvoyant(long tooth, long pause) {
    long period = tooth + pause;
    LongToDoubleFunction saw =
        until(3 * period, second -> second % period < tooth ? 20.0 * (second % period) / tooth : 0);
    ModelHistory ours = fleet(1, saw).run(3 * period + 1_200);
    long promised = Math.max(TARGET, ours.longestWait);
    return (double) ours.cost() / Clairvoyant.cost(saw, period, 3, promised, settings(0, 1_000));
  }

  @ParameterizedTest
  @CsvSource({"300,300", "600,0", "600,200", "1200,400", "1200,1200", "2400,0"})
  void sawtooth_costs_little_more_than_a_clairvoyant_pays(long tooth, long pause) {
    assertThat(sawtoothOverClairvoyant(tooth, pause)).isLessThanOrEqualTo(1.15);
  }

  /**
   * The bound of 1.15 does not hold here. Without a pause, workers that the first tooth needed stay
   * for the next ones: its light load gives each of them a task before it has idled out.
   */
  @Test
  void sawtooth_that_never_lets_workers_idle_out_costs_a_quarter_more() {
    assertThat(sawtoothOverClairvoyant(1_200, 0)).isBetween(1.15, 1.25);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void pre_empted_workers_are_replaced_and_the_work_ends(long seed) {
    FleetModel fleet = fleet(seed, until(3_600, second -> 10));
    fleet.crashes = 0.003;
    ModelHistory seen = fleet.run(5_400);

    assertThat(seen.unfinished.getLast()).isZero();
    assertThat(seen.peak()).isBetween(10, 16);
    assertThat(seen.longestWait).isLessThanOrEqualTo(2 * (TARGET + BOOT));
  }
}
