package io.cloudkon.core.protocol.bundler;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairWindowTest {
  private static final double MILLI = 1_000;
  private static final double SECOND = 1e6;
  private static final int BYTES = 60 * 1024;

  /** What the bundler wants of tasks that it knows: 250 ms of work. */
  private static final BundlePlan PLAN = new BundlePlan(4_096, BYTES, 250 * MILLI);

  /** What it wants of tasks of which nothing is known. */
  private static final BundlePlan UNKNOWN = new BundlePlan(16, BYTES, Double.POSITIVE_INFINITY);

  private final FairWindow window = new FairWindow(Priority.NORMAL);
  private int sent;
  private long now;

  private Moment now() {
    return new Moment(now, now);
  }

  private BundlePlan fit(BundlePlan plan, int slots) {
    return window.fit(plan, slots, now());
  }

  private int send(int tasks, double micros) {
    window.sent(sent, tasks, micros);
    return sent++;
  }

  /** Sends bundles of 25 tasks of 10 ms until it is to wait, and says how many. */
  private int fill(FairWindow of, int slots) {
    int bundles = 0;
    while (!of.fit(PLAN, slots, now()).waits()) {
      of.sent(sent++, 25, 250 * MILLI);
      bundles++;
    }
    return bundles;
  }

  /** Bundles of 25 tasks of 10 ms finish for that long, at the rate of so many slots. */
  private void run(FairWindow of, int slots, int seconds) {
    for (int i = 0; i < seconds * 4; i++) {
      now += 250;
      of.finished(slots * 25, (long) (slots * 250 * MILLI), now());
    }
  }

  @Test
  void nothing_known_one_task_per_slot_is_sent() {
    assertThat(fit(UNKNOWN, 4).tasks()).isEqualTo(4);
    int first = send(1, Double.NaN);
    int second = send(2, Double.NaN);

    assertThat(fit(UNKNOWN, 4).tasks()).isEqualTo(1);

    send(1, Double.NaN);
    assertThat(fit(UNKNOWN, 4).waits()).isTrue();
    window.ended(first, 1);
    window.ended(second, 2);
    assertThat(fit(UNKNOWN, 4).tasks()).isEqualTo(3);
  }

  @Test
  void fleet_that_nobody_knows_of_has_one_slot() {
    assertThat(fit(UNKNOWN, 0).tasks()).isEqualTo(1);
  }

  @Test
  void listed_slots_count_where_more_than_answered() {
    window.fleet(6, 6);

    assertThat(fit(UNKNOWN, 1).tasks()).isEqualTo(6);
    assertThat(fit(UNKNOWN, 9).tasks()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource({"LOW, 0.5", "NORMAL, 2", "HIGH, 8"})
  void queue_holds_the_fleets_work_of_that_many_seconds(Priority priority, double seconds) {
    FairWindow of = new FairWindow(priority);
    of.sent(sent++, 25, 250 * MILLI);
    of.finished(25, (long) (250 * MILLI), now());
    int slots = 40;

    int bundles = fill(of, slots);

    // Beside what is likely to run: at most one task in each slot, of 10 ms.
    double queued = (bundles + 1) * 0.25;
    assertThat(queued).isBetween(slots * seconds - 0.5, slots * (seconds + 0.01) + 0.25);
  }

  @Test
  void window_does_not_depend_on_how_much_is_still_to_be_sent() {
    send(25, 250 * MILLI);
    window.finished(25, (long) (250 * MILLI), now());

    assertThat(fill(window, 4)).isBetween(30, 32);
    assertThat(fit(PLAN, 4).waits()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"LOW, 125", "NORMAL, 500", "HIGH, 2000"})
  void bundle_holds_no_more_than_a_quarter_of_one_slots_share(Priority priority, double millis) {
    FairWindow of = new FairWindow(priority);
    of.sent(0, 1, 10 * MILLI);
    BundlePlan large = new BundlePlan(4_096, BYTES, 10 * SECOND);

    assertThat(of.fit(large, 4, now()).micros()).isEqualTo(millis * MILLI);
    assertThat(of.fit(large, 4, now()).tasks()).isEqualTo(4_096);
  }

  @Test
  void size_that_the_user_fixed_is_cut_to_the_quarter_by_the_mean_time() {
    BundlePlan fixed = new BundlePlan(1_000, BYTES, Double.POSITIVE_INFINITY);
    send(1, Double.NaN);
    window.finished(10, (long) (10 * 100 * MILLI), now());

    assertThat(fit(fixed, 4).tasks()).isEqualTo(5);
  }

  @Test
  void room_for_less_than_a_bundle_is_not_filled() {
    send(25, 250 * MILLI);
    window.finished(25, (long) (250 * MILLI), now());
    int bundles = fill(window, 4);
    window.ended(0, 20);

    assertThat(fit(PLAN, 4).waits()).isTrue();

    window.ended(1, 25);
    window.ended(2, 25);
    assertThat(fit(PLAN, 4).waits()).isFalse();
    assertThat(bundles).isPositive();
  }

  @Test
  void tasks_longer_than_the_share_fill_every_slot_and_one_waits() {
    BundlePlan minute = new BundlePlan(1, BYTES, 250 * MILLI);
    int tasks = 0;
    while (tasks < 20 && !fit(minute, 4).waits()) {
      send(1, 60 * SECOND);
      tasks++;
    }

    assertThat(tasks).isEqualTo(5);
  }

  @Test
  void long_tasks_that_all_finish_at_once_are_followed_by_as_many() {
    int slots = 40;
    BundlePlan minute = new BundlePlan(1, BYTES, 250 * MILLI);
    for (int i = 0; i < slots; i++) {
      send(1, 60 * SECOND);
    }
    now += 60_000;
    for (int i = 0; i < slots; i++) {
      window.finished(1, (long) (60 * SECOND), now());
      window.ended(i, 1);
    }

    int next = 0;
    while (next < 200 && !fit(minute, slots).waits()) {
      send(1, 60 * SECOND);
      next++;
    }
    // 40 that run, 80 slot seconds that wait: one task and a part.
    assertThat(next).isBetween(40, 42);
  }

  @Test
  void client_that_has_half_of_the_fleet_counts_half_of_the_slots_as_its_own() {
    int slots = 40;
    window.fleet(slots, 0);
    BundlePlan second = new BundlePlan(1, BYTES, SECOND);
    for (int i = 0; i < 600; i++) {
      now += 100;
      window.finished(2, (long) (2 * SECOND), now());
    }
    int tasks = 0;
    while (tasks < 300 && !fit(second, slots).waits()) {
      send(1, SECOND);
      tasks++;
    }

    // 20 run, and 80 slot seconds wait.
    assertThat(tasks).isBetween(95, 101);
  }

  @Test
  void estimate_of_what_runs_is_believed_only_of_a_busy_fleet() {
    int slots = 40;
    window.fleet(slots, 0);
    BundlePlan minute = new BundlePlan(1, BYTES, SECOND);
    for (int i = 0; i < 600; i++) {
      now += 1_000;
      window.finished(1, (long) (10 * SECOND), now());
    }
    // 10 of 40 slots run its tasks, and 8 tasks of 10 s may wait.
    assertThat(sendLong(minute, slots, 10)).isBetween(17, 19);

    window.fleet(slots, 10);

    // Others left slots free: it may have them all.
    assertThat(sendLong(minute, slots, 10)).isBetween(28, 32);
  }

  @Test
  void fleet_that_grows_is_filled_at_once() {
    window.fleet(4, 0);
    BundlePlan minute = new BundlePlan(1, BYTES, SECOND);
    for (int i = 0; i < 600; i++) {
      now += 1_000;
      window.finished(4, (long) (4 * SECOND), now());
    }

    window.fleet(40, 0);

    assertThat(sendLong(minute, 4, 60)).isBetween(41, 43);
  }

  @Test
  void long_tasks_behind_short_ones_fill_every_slot() {
    window.fleet(4, 0);
    send(25, 250 * MILLI);
    run(window, 4, 60);
    window.ended(0, 25);
    now += 60_000;

    assertThat(sendLong(new BundlePlan(1, BYTES, 250 * MILLI), 4, 3_600)).isEqualTo(5);
  }

  /** Sends tasks of so many seconds until it is to wait, and says how many. */
  private int sendLong(BundlePlan plan, int slots, int seconds) {
    int tasks = 0;
    while (tasks < 300 && !fit(plan, slots).waits()) {
      send(1, seconds * SECOND);
      tasks++;
    }
    return tasks;
  }

  @Test
  void unknown_tasks_count_by_the_mean_once_there_is_one() {
    for (int i = 0; i < 4; i++) {
      send(10, Double.NaN);
    }
    window.finished(4, (long) (4 * SECOND), now());

    // 40 s of work where 8 may wait.
    assertThat(fit(PLAN, 4).waits()).isTrue();
  }

  @Test
  void tasks_that_do_nothing_count_with_what_it_costs_to_carry_them() {
    int slots = 4;
    BundlePlan full = new BundlePlan(4_096, BYTES, 250 * MILLI);
    window.finished(4_096, 4_096, now());
    int bundles = 0;
    while (bundles < 10_000 && !fit(full, slots).waits()) {
      send(4_096, 4_096);
      bundles++;
    }

    // 8 slot seconds of 20 us each, and not the 2,000 bundles of 1 us.
    assertThat(bundles).isBetween(90, 98);
  }

  @Test
  void bundles_of_one_small_task_count_with_the_calls_that_they_cost() {
    BundlePlan one = new BundlePlan(1, BYTES, Double.POSITIVE_INFINITY);
    window.finished(1, 5, now());
    send(1, 5);
    int bundles = 1;
    while (bundles < 10_000 && !fit(one, 4).waits()) {
      send(1, 5);
      bundles++;
    }

    assertThat(bundles).isBetween(1_800, 2_100);
  }

  @Test
  void what_ended_frees_its_part_and_what_ends_twice_frees_nothing() {
    send(25, 250 * MILLI);
    run(window, 4, 10);
    int filled = fill(window, 4);
    for (int i = 0; i < 8; i++) {
      window.ended(i, 25);
      window.ended(i, 25);
    }
    window.ended(99_999, 7);

    assertThat(fill(window, 4)).isEqualTo(8);
    assertThat(filled).isPositive();
  }

  @Test
  void results_by_parts_free_what_the_whole_would() {
    send(25, 250 * MILLI);
    run(window, 4, 10);
    int unused = fill(window, 4);
    for (int i = 0; i < 25; i++) {
      window.ended(3, 1);
    }

    assertThat(fill(window, 4)).isEqualTo(1);
  }

  @Test
  void plan_to_wait_stays_one() {
    assertThat(fit(BundlePlan.WAIT, 4)).isEqualTo(BundlePlan.WAIT);
  }

  @Test
  void results_without_tasks_say_nothing() {
    window.finished(0, 1_000_000, now());

    assertThat(fit(UNKNOWN, 4).tasks()).isEqualTo(4);
  }
}
