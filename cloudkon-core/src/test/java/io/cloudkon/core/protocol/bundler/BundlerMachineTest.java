package io.cloudkon.core.protocol.bundler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BundlerMachineTest {
  private static final Work SECRET = new Work.JavaCall("secret", List.of());
  private static final Work SLEEP = new Work.Sleep(10);
  private static final long MANY = 1_000_000;

  private final BundlerMachine bundler = new BundlerMachine(BundlerSettings.DEFAULT);
  private Moment now = new Moment(1_000, 1_000_000);

  private int sequence;

  private BundlePlan plan(Work next, long remaining) {
    return bundler.plan(next, remaining, now);
  }

  /** A bundle of secrets was made; gives its number. */
  private int made(BundlerMachine by, int tasks) {
    by.made(sequence, tasks, tasks * by.micros(SECRET), now);
    return sequence++;
  }

  /** So many secrets were sent and came back; they took so long each. */
  private void warm(int tasks, long micros) {
    bundler.learn("secret", tasks, tasks * micros);
  }

  /** The client makes calls that all take so long. */
  private void callsTake(long micros) {
    for (int i = 0; i < CarryingCost.REMEMBERED; i++) {
      bundler.called(micros);
    }
  }

  /** The sizes of the bundles that go out while nothing changes. */
  private List<Integer> send(int atMost) {
    List<Integer> sizes = new ArrayList<>();
    for (BundlePlan plan = plan(SECRET, MANY);
        !plan.waits() && sizes.size() < atMost;
        plan = plan(SECRET, MANY)) {
      double micros = bundler.micros(SECRET);
      int known = Double.isNaN(micros) ? Integer.MAX_VALUE : (int) (plan.micros() / micros);
      sizes.add(Math.clamp(known, 1, plan.tasks()));
      int unused = made(bundler, sizes.getLast());
    }
    return sizes;
  }

  @Test
  void unknown_tasks_are_probed_by_small_bundles_that_grow_and_then_wait() {
    List<Integer> sizes = send(1_000);
    assertThat(sizes).startsWith(1, 4, 16, 16).isSorted();
    assertThat(sizes.stream().mapToInt(Integer::intValue).sum())
        .isBetween(BundlerMachine.PROBES, 2 * BundlerMachine.PROBES);
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
  }

  @Test
  void client_that_may_not_wait_goes_on_with_small_bundles() {
    var detached = new BundlerMachine(new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, false));
    for (int i = 0; i < 1_000; i++) {
      BundlePlan plan = detached.plan(SECRET, MANY, now);
      assertThat(plan.tasks()).isBetween(1, BundlerMachine.PROBE_TASKS);
      int unused = made(detached, plan.tasks());
      now = now.plus(10);
    }
  }

  /**
   * 504 short tasks whose cold workers fetched what they shipped took 23 to 37 s, most of it for
   * 400 single bundles.
   */
  @Test
  void silence_of_idle_workers_fills_their_slots_one_by_one_and_goes_on_with_bundles() {
    bundler.listed(Map.of("w", 4), true, now);
    int sent = send(1_000).stream().mapToInt(Integer::intValue).sum();
    now = now.plus(BundlerMachine.PROBE_MILLIS - 1);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    now = now.plus(1);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(1);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.BLIND);

    List<Integer> blind = send(20_000);

    int singles = 4 * Silence.SINGLES_FOR_SLOT - 1; // and the first probe
    assertThat(blind.subList(0, singles)).containsOnly(1);
    assertThat(blind.subList(singles, blind.size())).containsOnly(BundlerMachine.PROBE_TASKS);
    assertThat(sent + blind.stream().mapToInt(Integer::intValue).sum())
        .isBetween(
            BundlerMachine.BLIND_TASKS, BundlerMachine.BLIND_TASKS + BundlerMachine.PROBE_TASKS);
  }

  /** 504 tasks that waited for their first worker took 80 s in single bundles, and 6 s in these. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void silence_without_a_worker_or_of_busy_ones_says_nothing_of_the_tasks(boolean busy) {
    if (busy) {
      bundler.listed(Map.of("w", 4), false, now);
    }
    int sent = send(1_000).stream().mapToInt(Integer::intValue).sum();
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    List<Integer> blind = send(20_000);
    assertThat(blind).containsOnly(BundlerMachine.PROBE_TASKS);
    assertThat(sent + blind.size() * BundlerMachine.PROBE_TASKS)
        .isBetween(
            BundlerMachine.BLIND_TASKS, BundlerMachine.BLIND_TASKS + BundlerMachine.PROBE_TASKS);
  }

  @Test
  void tasks_that_no_worker_hands_on_go_one_by_one_whoever_is_there() {
    bundler.keepSingle();
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(send(20)).containsOnly(1);
  }

  @Test
  void silence_while_workers_boot_says_nothing_and_nothing_more_is_sent() {
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(1_000);
    bundler.noWorkerYet(true, now);
    for (int i = 0; i < 20; i++) {
      now = now.plus(3_000);
      bundler.noWorkerYet(true, now);
      assertThat(plan(SECRET, MANY).waits()).isTrue();
    }
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.PROBING);

    bundler.heard("w", 4, now);
    bundler.learn("secret", 1, 1_000);
    assertThat(plan(SECRET, MANY).waits()).isFalse();
  }

  @Test
  void worker_that_has_just_come_is_given_as_long_to_answer_as_one_that_was_there() {
    assertThat(send(1_000)).isNotEmpty();
    bundler.noWorkerYet(true, now);
    now = now.plus(40_000);
    bundler.noWorkerYet(false, now);
    now = now.plus(BundlerMachine.PROBE_MILLIS - 1);
    bundler.noWorkerYet(false, now);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    now = now.plus(1);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(BundlerMachine.PROBE_TASKS);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.BLIND);
  }

  @Test
  void client_that_goes_on_blindly_stops_as_it_learns_that_workers_boot() {
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(send(10)).containsOnly(BundlerMachine.PROBE_TASKS);
    bundler.noWorkerYet(true, now);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    now = now.plus(60_000);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    bundler.noWorkerYet(false, now);
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(BundlerMachine.PROBE_TASKS);
  }

  @Test
  void client_that_may_not_wait_does_not_wait_for_a_boot_either() {
    var detached = new BundlerMachine(new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, false));
    detached.noWorkerYet(true, now);
    for (int i = 0; i < 1_000; i++) {
      BundlePlan plan = detached.plan(SECRET, MANY, now);
      assertThat(plan.waits()).isFalse();
      int unused = made(detached, plan.tasks());
      now = now.plus(10);
    }
  }

  @Test
  void first_answer_after_a_silence_adapts() {
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(60_000);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(BundlerMachine.PROBE_TASKS);
    bundler.heard("w", 4, now);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.ADAPTING);
    bundler.learn("secret", 1, 50_000_000);
    assertThat(plan(SECRET, MANY).waits()).isFalse();
  }

  @Test
  void bundle_holds_its_target_of_work_as_far_as_known() {
    bundler.heard("w", 1, now);
    warm(1_000, 1_000);
    assertThat(bundler.micros(SECRET)).isEqualTo(1_000);
    BundlePlan plan = plan(SECRET, MANY);
    assertThat(plan.micros()).isEqualTo(250_000);
    assertThat(plan.bytes()).isEqualTo(Limits.FULL_BUNDLE_BYTES);
    assertThat(plan.tasks()).isEqualTo(Limits.TASKS_PER_BUNDLE);
  }

  @Test
  void slots_of_a_worker_share_a_bundle_so_it_holds_the_target_for_each_of_them() {
    bundler.heard("large", 16, now);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(16 * 250_000);
    bundler.heard("small", 4, now);
    assertThat(plan(SLEEP, MANY).micros()).as("whoever takes it").isEqualTo(4 * 250_000);
    now = now.plus(AnsweringWorkers.SILENT_MILLIS + 1);
    bundler.heard("large", 16, now);
    assertThat(plan(SLEEP, MANY).micros()).as("those that live").isEqualTo(16 * 250_000);
  }

  @Test
  void workers_that_are_listed_share_bundles_as_if_they_had_answered() {
    int before = sendSleeps(10, 1_000);
    assertThat(before).as("2 s, and what runs").isEqualTo(9);
    bundler.listed(Map.of("a", 4, "b", 8), true, now);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(4 * 250_000);
    assertThat(bundler.slots(now)).isEqualTo(12);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.PROBING);
    assertThat(plan(SECRET, MANY)).as("nobody has run it yet").isEqualTo(BundlePlan.WAIT);
  }

  @Test
  void several_workers_find_their_share_of_what_is_left_in_eight_bundles_at_least() {
    bundler.listed(Map.of("a", 4, "b", 4), true, now);
    assertThat(plan(SLEEP, 1_600).micros()).isEqualTo(4 * 250_000);
    assertThat(plan(SLEEP, 800).micros()).isEqualTo(800 * 10_000 / 16.0);
    assertThat(plan(SLEEP, 100).micros()).as("no less than one target").isEqualTo(250_000);
  }

  @Test
  void worker_that_is_alone_gets_large_bundles_as_there_is_nobody_to_balance() {
    bundler.listed(Map.of("a", 4), true, now);
    assertThat(plan(SLEEP, 200).micros()).isEqualTo(4 * 250_000);
    assertThat(plan(SLEEP, 200).tasks()).isEqualTo(200);
  }

  @Test
  void worker_that_was_alone_when_a_list_was_read_is_not_for_ever() {
    bundler.listed(Map.of("a", 4, "b", 4), true, now);
    now = now.plus(BundlerMachine.AHEAD_MILLIS + AnsweringWorkers.SILENT_MILLIS);
    bundler.heard("a", 4, now);
    assertThat(plan(SLEEP, 200).tasks()).as("b may still be there").isEqualTo(100);
  }

  @Test
  void worker_that_only_seems_to_be_alone_leaves_something_for_others() {
    bundler.heard("a", 4, now);
    assertThat(plan(SLEEP, 200).tasks()).isEqualTo(100);
    assertThat(plan(SLEEP, 100).tasks()).isEqualTo(50);
  }

  @Test
  void bundle_of_a_fair_cluster_holds_its_target_once() {
    bundler.keepSmall();
    bundler.heard("a", 16, now);
    callsTake(50_000);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(250_000);
  }

  @Test
  void bundle_holds_twenty_times_what_its_calls_take() {
    bundler.heard("w", 1, now);
    callsTake(5_000);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(20.0 * CarryingCost.CALLS * 5_000);
  }

  @Test
  void few_slow_calls_among_many_say_nothing_of_what_it_costs_to_carry_a_bundle() {
    bundler.heard("w", 1, now);
    callsTake(1_000);
    for (int i = 0; i < CarryingCost.REMEMBERED / 2; i++) {
      bundler.called(3_000_000);
    }
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(250_000);
  }

  @Test
  void first_calls_which_load_classes_say_nothing_of_what_it_costs_to_carry_a_bundle() {
    bundler.heard("w", 1, now);
    for (int i = 0; i < CarryingCost.REMEMBERED / 2; i++) {
      bundler.called(300_000);
    }
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(250_000);
  }

  @Test
  void slow_calls_make_a_bundle_no_larger_than_four_targets() {
    bundler.heard("w", 1, now);
    callsTake(3_000_000);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(4 * 250_000);
  }

  @Test
  void sort_of_tasks_that_is_not_known_well_is_sent_two_seconds_of_work_ahead() {
    bundler.heard("w", 4, now);
    warm(8, 30_000);
    int tasks = send(1_000).stream().mapToInt(Integer::intValue).sum();
    double besidesWhatRuns = 4 * 30_000.0;
    assertThat(tasks * 30_000 - besidesWhatRuns)
        .isBetween(4 * 2e6, 4 * 2e6 + plan(SLEEP, MANY).micros());
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
    assertThat(plan(SLEEP, MANY).waits()).as("what is known").isFalse();
  }

  @Test
  void long_tasks_that_run_hold_back_no_short_one() {
    bundler.heard("w", 4, now);
    warm(8, 30_000);
    bundler.made(1_000_000, 100, 100 * 600e6, now);
    assertThat(plan(SECRET, MANY).waits()).isFalse();
    assertThat(send(1_000)).isNotEmpty();
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
  }

  @Test
  void sort_of_tasks_that_is_not_known_well_goes_on_as_its_results_come() {
    bundler.heard("w", 4, now);
    warm(8, 30_000);
    assertThat(send(1_000)).isNotEmpty();
    bundler.ended(0, 3);
    bundler.ended(1, Integer.MAX_VALUE);
    assertThat(send(1_000)).isNotEmpty();
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
  }

  @ParameterizedTest
  @CsvSource({"300000, 64", "30000, 512", "3000, 512"})
  void enough_results_make_a_sort_of_tasks_known_and_all_of_it_is_sent(long micros, int results) {
    bundler.heard("w", 4, now);
    warm(results - 1, micros);
    assertThat(send(1_000)).hasSizeLessThan(1_000);
    warm(1, micros);
    assertThat(send(1_000)).hasSize(1_000);
  }

  @Test
  void sixty_four_tasks_go_ahead_however_long_they_are() {
    bundler.heard("w", 4, now);
    warm(1, 1_900_000);
    assertThat(send(1_000)).hasSize(BundlerMachine.PROBES).containsOnly(1);
  }

  @Test
  void tasks_that_take_two_seconds_are_known_to_be_long_by_the_first_of_them() {
    bundler.heard("w", 4, now);
    warm(1, 2_000_000);
    assertThat(send(1_000)).hasSize(1_000).containsOnly(1);
  }

  @Test
  void each_two_seconds_without_an_answer_let_as_much_more_go() {
    bundler.heard("w", 4, now);
    warm(8, 30_000);
    int first = send(1_000).size();
    now = now.plus(BundlerMachine.AHEAD_MILLIS - 1);
    bundler.listed(Map.of("w", 4), true, now);
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
    now = now.plus(1);
    assertThat(send(1_000)).as("a list is no answer").hasSizeBetween(first - 1, first);
    assertThat(plan(SECRET, MANY)).isEqualTo(BundlePlan.WAIT);
  }

  @Test
  void client_that_may_not_wait_sends_everything_by_its_first_estimate() {
    var detached = new BundlerMachine(new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, false));
    detached.heard("w", 4, now);
    detached.learn("secret", 1, 30_000);
    for (int i = 0; i < 1_000; i++) {
      BundlePlan plan = detached.plan(SECRET, MANY, now);
      assertThat(plan.waits()).isFalse();
      int unused = made(detached, plan.tasks());
    }
  }

  @Test
  void first_task_never_waits() {
    assertThat(plan(SECRET, 1).tasks()).isEqualTo(1);
    assertThat(plan(new Work.Sleep(200), 1).tasks()).isEqualTo(1);
  }

  /** Sends sleeps until the bundler waits. */
  private int sendSleeps(long millis, int atMost) {
    Work sleep = new Work.Sleep(millis);
    int bundles = 0;
    for (BundlePlan plan = plan(sleep, MANY);
        !plan.waits() && bundles < atMost;
        plan = plan(sleep, MANY)) {
      double micros = Math.min(plan.micros(), plan.tasks() * millis * 1e3);
      bundler.made(sequence++, (int) (micros / (millis * 1e3)), micros, now);
      bundles++;
    }
    return bundles;
  }

  @Test
  void short_sleeps_wait_for_a_first_answer_that_says_how_many_slots_share_a_bundle() {
    assertThat(sendSleeps(10, 1_000)).isEqualTo(9);
    bundler.heard("w", 4, now);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(4 * 250_000);
    assertThat(sendSleeps(10, 1_000)).as("they are known by their argument").isEqualTo(1_000);
  }

  @Test
  void short_sleeps_wait_no_longer_than_two_seconds() {
    assertThat(sendSleeps(10, 1_000)).isEqualTo(9);
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(sendSleeps(10, 1_000)).isEqualTo(1_000);
  }

  @Test
  void sleeps_that_are_bundles_of_their_own_wait_for_nobody() {
    assertThat(sendSleeps(250, 1_000)).isEqualTo(1_000);
  }

  @Test
  void bundles_shrink_toward_the_end_so_that_the_last_ones_finish_together() {
    bundler.heard("a", 4, now);
    bundler.heard("b", 4, now);
    int last = Integer.MAX_VALUE;
    for (long remaining = 10_000; remaining > 0; ) {
      int tasks = plan(SLEEP, remaining).tasks();
      assertThat(tasks).isBetween(2, last);
      assertThat((long) tasks).isLessThanOrEqualTo(Math.max(2, (remaining + 3) / 4));
      last = tasks;
      remaining -= tasks;
    }
    assertThat(last).as("a twentieth of the target").isEqualTo(2);
  }

  @Test
  void tiny_tasks_are_not_sent_one_by_one_at_the_end() {
    bundler.heard("w", 4, now);
    bundler.learn("secret", 1_000, 1_000);
    assertThat(plan(SECRET, 1).tasks()).isEqualTo(Limits.TASKS_PER_BUNDLE);
    bundler.learn("other", 100, 100_000);
    assertThat(plan(new Work.JavaCall("other", List.of()), 1).tasks()).isEqualTo(50);
  }

  @Test
  void unknown_number_of_tasks_makes_full_bundles() {
    assertThat(plan(SLEEP, Long.MAX_VALUE).tasks()).isEqualTo(Limits.TASKS_PER_BUNDLE);
  }

  @Test
  void slots_are_those_of_the_workers_heard_lately() {
    assertThat(bundler.slots(now)).isEqualTo(1);
    bundler.heard("a", 4, now);
    bundler.heard("a", 4, now);
    bundler.heard("b", 2, now.plus(20_000));
    assertThat(bundler.slots(now.plus(30_000))).isEqualTo(6);
    assertThat(bundler.slots(now.plus(30_001))).isEqualTo(2);
    assertThat(bundler.slots(now.plus(90_000))).isEqualTo(1);
  }

  @Test
  void fixed_size_stays_whatever_is_heard() {
    var fixed = new BundlerMachine(new BundlerSettings(20, 250, 1_000, true));
    for (int i = 0; i < 100; i++) {
      assertThat(fixed.plan(SECRET, 3, now))
          .isEqualTo(new BundlePlan(20, 1_000, Double.POSITIVE_INFINITY));
      int unused = made(fixed, 20);
    }
    fixed.heard("w", 4, now);
    fixed.learn("secret", 1, 99_000_000);
    assertThat(fixed.plan(SECRET, 3, now.plus(60_000)).tasks()).isEqualTo(20);
    assertThat(fixed.phase()).isEqualTo(BundlerPhase.FIXED);
  }

  @Test
  void bundler_settings_are_checked_and_have_their_defaults() {
    assertThat(BundlerSettings.DEFAULT)
        .isEqualTo(new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, true));
    assertThatIllegalArgumentException().isThrownBy(() -> new BundlerSettings(-1, 250, 1, true));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BundlerSettings(4_097, 250, 1, true))
        .withMessageContaining("1 to 4096 tasks");
    assertThatIllegalArgumentException().isThrownBy(() -> new BundlerSettings(0, 0, 1, true));
  }

  /** So many workers of one slot answer. */
  private void fleet(int workers) {
    for (int i = 0; i < workers; i++) {
      bundler.heard("w" + i, 1, now);
    }
  }

  /** Sends bundles of sleeps, one every so many milliseconds, for two seconds. */
  private BundlePlan sendOneEvery(long millis, int slots, boolean heldBack) {
    fleet(slots);
    for (long passed = 0; passed < 2_000; passed += millis) {
      BundlePlan plan = plan(SLEEP, MANY);
      bundler.made(sequence++, plan.tasks(), plan.micros(), now);
      if (heldBack) {
        bundler.heldBack();
      }
      now = now.plus(millis);
    }
    fleet(slots);
    return plan(SLEEP, MANY);
  }

  @Test
  void bundles_hold_more_where_the_client_could_not_send_as_much_work_as_the_slots_do() {
    // 100 bundles a second for 200 slots: each must hold 2 s of work, and somewhat more.
    BundlePlan plan = sendOneEvery(10, 200, false);
    assertThat(plan.micros()).isCloseTo(2.5e6, within(0.1e6));
    assertThat(plan.tasks()).isGreaterThanOrEqualTo(250);
    BundlePlan last = plan(SLEEP, 300);
    assertThat(last.tasks()).as("as sends are what slots wait for").isGreaterThanOrEqualTo(240);
  }

  @Test
  void bundles_hold_no_more_than_ten_seconds_however_slow_sends_are() {
    assertThat(sendOneEvery(100, 20_000, false).micros()).isEqualTo(BundleTarget.MOST_MICROS);
  }

  @Test
  void bundles_hold_no_more_than_ten_seconds_however_many_slots_share_them() {
    bundler.heard("w", 200, now);
    assertThat(plan(SLEEP, MANY).micros()).isEqualTo(BundleTarget.MOST_MICROS);
  }

  @Test
  void bundles_keep_their_target_where_sends_are_fast_enough() {
    assertThat(sendOneEvery(10, 10, false).micros()).isEqualTo(250_000);
  }

  @Test
  void bundles_keep_their_target_where_something_else_holds_the_client_back() {
    assertThat(sendOneEvery(10, 200, true).micros()).isEqualTo(250_000);
  }

  @Test
  void bundles_keep_their_target_where_nobody_knows_how_many_tasks_there_are() {
    BundlePlan unused = sendOneEvery(10, 200, false);
    assertThat(plan(SLEEP, Long.MAX_VALUE).micros()).isEqualTo(250_000);
  }

  @Test
  void a_pause_is_no_slow_send() {
    BundlePlan unused = sendOneEvery(10, 10, false);
    now = now.plus(20_000);
    for (int i = 0; i < 5; i++) {
      bundler.made(sequence++, 1, 10_000, now);
      assertThat(plan(SLEEP, MANY).micros()).isEqualTo(250_000);
      now = now.plus(10);
    }
  }
}
