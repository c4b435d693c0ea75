package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendDead;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendFailed;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bundles whose workers died: from the third attempt on, and past the last. */
class BundleAttemptsTest {
  /** A bundle whose owners died so often; the last one had started and recorded these tasks. */
  private static BundleBench after(int deaths, int releases, Positions started, Positions done) {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item =
        new Claim(
            "run/e/0",
            ClaimState.LEASED,
            "other",
            "n0",
            deaths + releases,
            3,
            releases,
            0,
            started,
            done,
            new TreeMap<>(),
            0);
    return bench.begin();
  }

  private static BundleBench after(int deaths) {
    return after(deaths, 0, Positions.none(), Positions.none());
  }

  @Test
  void second_attempt_runs_as_the_first() {
    assertThat(after(1).takeTasks(4)).isEqualTo(BundleBench.ALL);
  }

  @Test
  void third_attempt_starts_one_task_after_its_start_is_recorded() {
    BundleBench bench = after(2);

    assertThat(bench.takeTasks(4)).isEqualTo(Positions.none());
    assertThat(bench.write().started()).isEqualTo(Positions.of(0));
    bench.answer();

    assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(0));
    assertThat(bench.takeTasks(4)).isEqualTo(Positions.none());
  }

  @Test
  void next_task_waits_until_the_result_before_it_was_accepted() {
    BundleBench bench = after(2);
    start(bench, 0);

    bench.finished(0);
    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    bench.takeTasks(4);
    assertThat(bench.calls).isEmpty();
    bench.accepted(0);
    bench.takeTasks(4);

    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
  }

  @Test
  void task_that_the_last_worker_died_of_comes_last() {
    BundleBench bench = after(3, 0, Positions.of(0, 1), Positions.of(0));

    for (int position : new int[] {2, 3, 1}) {
      start(bench, position);
      bench.finished(position).accepted(position);
    }

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
  }

  @Test
  void starts_that_are_recorded_are_those_of_this_attempt() {
    BundleBench bench = after(3, 0, Positions.of(0, 1), Positions.of(0));

    bench.takeTasks(4);

    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 2));
  }

  @Test
  void releases_are_no_attempts() {
    assertThat(after(1, 7, Positions.none(), Positions.none()).takeTasks(4))
        .isEqualTo(BundleBench.ALL);
  }

  @Test
  void attempt_in_which_the_guard_killed_a_task_ends_and_counts_as_survived() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    assertThat(bench.takeTasks(2)).isEqualTo(Positions.of(0, 1));

    bench.on(new BundleEvent.KilledByGuard(Positions.of(0)));
    bench.on(new BundleEvent.Interrupted(Positions.none(), Positions.of(0)));
    assertThat(bench.takeTasks(4)).as("nothing starts twice here").isEqualTo(Positions.none());
    bench.finished(1).accepted(1);
    bench.answer();

    assertThat(bench.survived).containsExactly(new ClaimEffect.Survive("run/e/0", 1));
    assertThat(bench.item.state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.item.releases()).as("it counts").isZero();
    assertThat(bench.item.done()).isEqualTo(Positions.of(1));
    assertThat(bench.asked()).contains(new PutBack(2_000));
  }

  /** Its successor must know of which task the worker stood still. */
  @Test
  void task_that_was_killed_by_the_guard_when_it_ran_alone_stays_recorded_as_started() {
    BundleBench bench = after(2);
    start(bench, 0);

    bench.on(new BundleEvent.KilledByGuard(Positions.of(0)));
    bench.on(new BundleEvent.Interrupted(Positions.none(), Positions.of(0)));
    bench.answer();

    assertThat(bench.item.state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.item.started()).isEqualTo(Positions.of(0));
  }

  @Test
  void past_the_last_attempt_the_started_task_fails_and_the_rest_goes_to_a_child() {
    BundleBench bench = after(5, 0, Positions.of(0, 1), Positions.of(0));

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.GIVING_UP);
    assertThat(bench.asked())
        .as("the client would end the run before the letter is sent")
        .singleElement()
        .isInstanceOfSatisfying(
            SendDead.class, dead -> assertThat(dead.tasks()).isEqualTo(Positions.of(1)));
    bench.letterAccepted();
    assertThat(bench.asked())
        .singleElement()
        .isInstanceOfSatisfying(
            SendFailed.class,
            failed -> {
              assertThat(failed.tasks()).isEqualTo(Positions.of(1));
              assertThat(failed.reason()).contains("its worker died").contains("5 times");
            });
    bench.answer();
    assertThat(bench.asked()).containsExactly(new SendChild(1, Positions.of(2, 3)));
    bench.on(new BundleEvent.ChildAccepted(1));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.GIVING_UP);
    bench.accepted(1);

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1));
  }

  /** So many attempts, of which but a few ended in a death. */
  private static BundleBench survived(int attempts, int deaths, Positions started) {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item =
        new Claim(
            "run/e/0",
            ClaimState.LEASED,
            "other",
            "n0",
            attempts,
            3,
            0,
            0,
            started,
            Positions.none(),
            new TreeMap<>(),
            0,
            Positions.range(deaths + 1, attempts + 1));
    return bench.begin();
  }

  @Test
  void attempts_that_were_taken_back_are_no_deaths() {
    assertThat(survived(16, 1, Positions.none()).takeTasks(4)).isEqualTo(BundleBench.ALL);
    assertThat(survived(6, 2, Positions.none()).machine.oneByOne()).isTrue();
  }

  @Test
  void eighteenth_attempt_in_all_runs_one_by_one() {
    BundleBench bench = survived(17, 0, Positions.none());

    assertThat(bench.machine.oneByOne()).isTrue();
    assertThat(bench.takeTasks(4)).isEqualTo(Positions.none());
  }

  @Test
  void past_the_twentieth_attempt_in_all_the_started_task_fails_whoever_lived() {
    assertThat(survived(19, 0, Positions.of(1)).machine.phase()).isEqualTo(BundlePhase.RUNNING);
    BundleBench bench = survived(20, 0, Positions.of(1));
    bench.asked();

    assertThat(bench.letterAccepted().asked())
        .singleElement()
        .isInstanceOfSatisfying(
            SendFailed.class,
            failed -> {
              assertThat(failed.tasks()).isEqualTo(Positions.of(1));
              assertThat(failed.reason())
                  .contains("froze or lost its connection", "20 times in total");
            });
  }

  @Test
  void bundle_that_runs_one_by_one_waits_for_one_slot_at_a_time() {
    BundleBench bench = after(2);
    assertThat(bench.machine.pendingCount()).isEqualTo(1);

    start(bench, 0);

    assertThat(bench.machine.pendingCount()).isZero();
    bench.finished(0).accepted(0);
    assertThat(bench.machine.pendingCount()).isEqualTo(1);
  }

  @Test
  void past_the_last_attempt_without_a_start_every_task_fails() {
    BundleBench bench = after(5);
    bench.asked();

    assertThat(bench.letterAccepted().asked())
        .singleElement()
        .isInstanceOfSatisfying(
            SendFailed.class,
            failed -> {
              assertThat(failed.tasks()).isEqualTo(BundleBench.ALL);
              assertThat(failed.reason()).contains("before it had started");
            });
  }

  @Test
  void past_the_last_attempt_a_bundle_of_which_all_is_recorded_just_ends() {
    BundleBench bench = after(7, 0, Positions.of(1), BundleBench.ALL);

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void dead_letter_that_was_not_accepted_is_sent_again() {
    BundleBench bench = after(5);
    bench.asked();

    bench.on(new BundleEvent.DeadFailed());

    assertThat(bench.asked()).singleElement().isInstanceOf(SendDead.class);
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.GIVING_UP);
  }

  @Test
  void bundle_that_runs_one_by_one_is_postponed_without_counting() {
    BundleBench bench = after(2);
    assertThat(bench.machine.oneByOne()).isTrue();

    bench.on(new BundleEvent.Postpone());
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().releases()).isEqualTo(1);
    bench.answer();

    assertThat(bench.asked()).contains(new PutBack(LeaseSettings.DEFAULT.lease()));
  }

  @Test
  void at_least_once_gives_up_after_too_many_receives() {
    BundleBench bench = new BundleBench(Consistency.AT_LEAST_ONCE, "n1", 0, 101).begin();
    bench.asked();

    assertThat(bench.letterAccepted().asked())
        .singleElement()
        .isInstanceOfSatisfying(
            SendFailed.class, failed -> assertThat(failed.reason()).contains("received 101 times"));
  }

  @Test
  void at_least_once_goes_on_up_to_that() {
    BundleBench bench = new BundleBench(Consistency.AT_LEAST_ONCE, "n1", 0, 100).begin();

    assertThat(bench.takeTasks(4)).isEqualTo(BundleBench.ALL);
  }

  private static void start(BundleBench bench, int position) {
    if (bench.takeTasks(4).equals(Positions.none())) {
      bench.answer();
      assertThat(bench.takeTasks(4)).isEqualTo(Positions.of(position));
    }
    bench.asked();
  }
}
