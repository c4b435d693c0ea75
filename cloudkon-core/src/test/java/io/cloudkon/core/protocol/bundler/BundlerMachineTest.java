package io.cloudkon.core.protocol.bundler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BundlerMachineTest {
  private static final Work SECRET = new Work.JavaCall("secret", List.of());
  private static final Work SLEEP = new Work.Sleep(10);
  private static final long MANY = 1_000_000;

  private final BundlerMachine bundler = new BundlerMachine(BundlerSettings.DEFAULT);
  private Moment now = new Moment(1_000, 1_000_000);

  private BundlePlan plan(Work next, long remaining) {
    return bundler.plan(next, remaining, now);
  }

  /** The sizes of the bundles that go out while nothing changes. */
  private List<Integer> send(int atMost) {
    List<Integer> sizes = new ArrayList<>();
    for (BundlePlan plan = plan(SECRET, MANY);
        !plan.waits() && sizes.size() < atMost;
        plan = plan(SECRET, MANY)) {
      sizes.add(plan.tasks());
      bundler.made(plan.tasks(), now);
    }
    return sizes;
  }

  @Test
  void unknown_tasks_are_probed_by_small_bundles_that_grow_and_then_wait() {
    List<Integer> sizes = send(1_000);
    assertThat(sizes).startsWith(1, 1, 2, 2, 4, 4).isSorted();
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
      detached.made(plan.tasks(), now);
      now = now.plus(10);
    }
  }

  @Test
  void silence_goes_on_one_by_one_and_not_without_end() {
    int sent = send(1_000).stream().mapToInt(Integer::intValue).sum();
    now = now.plus(BundlerMachine.PROBE_MILLIS - 1);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    now = now.plus(1);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(1);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.BLIND);
    List<Integer> blind = send(20_000);
    assertThat(blind).containsOnly(1);
    assertThat(sent + blind.size()).isEqualTo(BundlerMachine.BLIND_TASKS);
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
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(1);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.BLIND);
  }

  @Test
  void client_that_goes_on_blindly_stops_as_it_learns_that_workers_boot() {
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(send(10)).containsOnly(1);
    bundler.noWorkerYet(true, now);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    now = now.plus(60_000);
    assertThat(plan(SECRET, MANY).waits()).isTrue();
    bundler.noWorkerYet(false, now);
    now = now.plus(BundlerMachine.PROBE_MILLIS);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(1);
  }

  @Test
  void client_that_may_not_wait_does_not_wait_for_a_boot_either() {
    var detached = new BundlerMachine(new BundlerSettings(0, 250, Limits.FULL_BUNDLE_BYTES, false));
    detached.noWorkerYet(true, now);
    for (int i = 0; i < 1_000; i++) {
      BundlePlan plan = detached.plan(SECRET, MANY, now);
      assertThat(plan.waits()).isFalse();
      detached.made(plan.tasks(), now);
      now = now.plus(10);
    }
  }

  @Test
  void first_answer_after_a_silence_adapts() {
    assertThat(send(1_000)).isNotEmpty();
    now = now.plus(60_000);
    assertThat(plan(SECRET, MANY).tasks()).isEqualTo(1);
    bundler.heard("w", 4, now);
    assertThat(bundler.phase()).isEqualTo(BundlerPhase.ADAPTING);
    bundler.learn("secret", 1, 50_000_000);
    assertThat(plan(SECRET, MANY).waits()).isFalse();
  }

  @Test
  void bundle_holds_its_target_of_work_as_far_as_known() {
    bundler.heard("w", 4, now);
    bundler.learn("secret", 10, 10_000);
    assertThat(bundler.micros(SECRET)).isEqualTo(1_000);
    BundlePlan plan = plan(SECRET, MANY);
    assertThat(plan.micros()).isEqualTo(250_000);
    assertThat(plan.bytes()).isEqualTo(Limits.FULL_BUNDLE_BYTES);
    assertThat(plan.tasks()).isEqualTo(Limits.TASKS_PER_BUNDLE);
  }

  @Test
  void bundles_shrink_toward_the_end_so_that_the_last_ones_finish_together() {
    bundler.heard("a", 4, now);
    bundler.heard("b", 4, now);
    int last = Integer.MAX_VALUE;
    for (long remaining = 10_000; remaining > 0; ) {
      int tasks = plan(SLEEP, remaining).tasks();
      assertThat(tasks).isBetween(1, last);
      assertThat((long) tasks).isLessThanOrEqualTo(Math.max(1, (remaining + 15) / 16));
      last = tasks;
      remaining -= tasks;
    }
    assertThat(last).isEqualTo(1);
  }

  @Test
  void tiny_tasks_are_not_sent_one_by_one_at_the_end() {
    bundler.heard("w", 4, now);
    bundler.learn("secret", 1_000, 1_000);
    assertThat(plan(SECRET, 1).tasks()).isEqualTo(Limits.TASKS_PER_BUNDLE);
    bundler.learn("other", 10, 10_000);
    assertThat(plan(new Work.JavaCall("other", List.of()), 1).tasks()).isEqualTo(10);
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
      fixed.made(20, now);
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

  /** Sends bundles of sleeps, one every so many milliseconds, for two seconds. */
  private BundlePlan sendOneEvery(long millis, int slots, boolean heldBack) {
    bundler.heard("w", slots, now);
    for (long passed = 0; passed < 2_000; passed += millis) {
      BundlePlan plan = plan(SLEEP, MANY);
      bundler.made(plan.tasks(), now);
      if (heldBack) {
        bundler.heldBack();
      }
      now = now.plus(millis);
    }
    bundler.heard("w", slots, now);
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
    assertThat(sendOneEvery(100, 100_000, false).micros()).isEqualTo(BundlerMachine.MOST_MICROS);
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
      bundler.made(1, now);
      assertThat(plan(SLEEP, MANY).micros()).isEqualTo(250_000);
      now = now.plus(10);
    }
  }
}
