package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A message whose tasks have a claim each. */
class TaskByTaskTest {
  private static final String ID = BundleIds.of("run", "e", 0);
  private static final Positions FIRST = Positions.of(0);

  private final WorkerBench bench = WorkerBench.hungry(2);

  private static Bundle message(Consistency mode, int tasks) {
    return WorkerBench.taskByTask(0, mode, tasks, WorkerBench.sleep(10));
  }

  private static String claim(int position) {
    return BundleIds.taskClaim(ID, position);
  }

  private void tell(BundleEvent event) {
    bench.on(new WorkerEvent.OfBundle(1, event));
  }

  private Claim item(int position) {
    return Objects.requireNonNull(bench.claim(claim(position)));
  }

  /** The keys of the claims that are being asked for. */
  private List<String> acquisitions() {
    return bench.about(1).stream()
        .filter(BundleEffect.CallClaims.class::isInstance)
        .map(effect -> ((BundleEffect.CallClaims) effect).call())
        .filter(ClaimEffect.Acquire.class::isInstance)
        .map(call -> ((ClaimEffect.Acquire) call).acquisition().id())
        .toList();
  }

  /** Runs what there is to its recorded end. */
  private void runAll() {
    for (int i = 0; i < 20; i++) {
      bench.answerClaims();
      for (WorkerEffect.Run run : bench.runs()) {
        bench.slotFree(run);
      }
      acceptResults();
    }
  }

  private void acceptResults() {
    for (BundleEffect effect : bench.about(1)) {
      if (effect instanceof BundleEffect.SendResults send) {
        accept(effect, send.tasks());
      } else if (effect instanceof BundleEffect.SendLost send) {
        accept(effect, send.tasks());
      }
    }
  }

  private void accept(BundleEffect effect, Positions tasks) {
    bench.effects.remove(new WorkerEffect.OfBundle(1, effect));
    tell(new BundleEvent.ResultsAccepted(tasks));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void each_task_gets_a_claim_and_the_message_is_deleted_once_when_all_are_done(Consistency mode) {
    bench.receive(message(mode, 5));
    runAll();

    for (int position = 0; position < 5; position++) {
      assertThat(item(position).state()).isEqualTo(ClaimState.DONE);
      assertThat(item(position).done()).isEqualTo(FIRST);
      assertThat(item(position).children()).isEmpty();
    }
    assertThat(bench.claim(ID)).isNull();
    assertThat(bench.about(1)).containsOnlyOnce(new BundleEffect.DeleteMessage());
    tell(new BundleEvent.Deleted());
    assertThat(bench.about(1)).containsOnlyOnce(new BundleEffect.Close(Reason.COMPLETE));
    assertThat(bench.machine.bundlesInHand()).isZero();
  }

  @Test
  void message_is_not_deleted_while_one_task_runs() {
    bench.receive(message(Consistency.EXACTLY_ONCE, 2));
    bench.answerClaims();
    bench.slotFree(bench.runs().getFirst());
    acceptResults();
    bench.answerClaims();

    assertThat(item(0).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.about(1)).doesNotContain(new BundleEffect.DeleteMessage());
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void task_that_is_claimed_and_waits_behind_long_ones_is_released(Consistency mode) {
    bench.receive(message(mode, 4));
    bench.answerClaims();
    List<WorkerEffect.Run> running = bench.runs();
    assertThat(running).hasSize(2);
    tell(new BundleEvent.Begin(1));
    bench.answerClaims();
    assertThat(item(2).state()).isEqualTo(ClaimState.LEASED);

    tell(new BundleEvent.HandOff());
    bench.answerClaims();

    assertThat(item(2).state()).isEqualTo(ClaimState.RELEASED);
    assertThat(item(2).started()).isEqualTo(Positions.none());
    running.forEach(bench::slotFree);
    acceptResults();
    bench.answerClaims();
    assertThat(item(0).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.of(WorkerEffect.OfBundle.class))
        .extracting(WorkerEffect.OfBundle::effect)
        .filteredOn(BundleEffect.PutBack.class::isInstance)
        .hasSize(1);
  }

  @Test
  void without_claims_there_is_none_for_a_task_either() {
    bench.receive(message(Consistency.AT_LEAST_ONCE, 3));
    assertThat(acquisitions()).isEmpty();
    assertThat(bench.runs()).hasSize(2);
  }

  @Test
  void claim_is_asked_for_when_its_task_is_about_to_start() {
    bench.receive(message(Consistency.EXACTLY_ONCE, 100));
    assertThat(acquisitions()).startsWith(claim(0), claim(1)).hasSizeLessThan(10);
  }

  @Test
  void claims_beyond_the_slots_are_few_however_short_the_tasks() {
    bench.receive(WorkerBench.taskByTask(0, Consistency.EXACTLY_ONCE, 4096, WorkerBench.sleep(0)));
    assertThat(acquisitions()).hasSizeBetween(2, 12);
    bench.answerClaims();
    bench.runs();
    assertThat(acquisitions()).hasSizeLessThanOrEqualTo(12);
  }

  @Test
  void start_is_recorded_with_the_acquisition_in_at_most_once() {
    bench.receive(message(Consistency.AT_MOST_ONCE, 1));
    bench.answerClaims();
    assertThat(item(0).started()).isEqualTo(FIRST);
    assertThat(bench.runs()).hasSize(1);
  }

  @Test
  void effects_name_tasks_by_their_places_in_the_message() {
    bench.receive(message(Consistency.EXACTLY_ONCE, 3));
    bench.answerClaims();
    List<WorkerEffect.Run> runs = bench.runs();
    assertThat(runs)
        .extracting(WorkerEffect.Run::tasks)
        .containsExactly(Positions.of(0), Positions.of(1));
    bench.slotFree(runs.getLast());
    assertThat(bench.about(1)).contains(new BundleEffect.SendResults(Positions.of(1)));
  }

  @Test
  void expired_task_is_lost_in_at_most_once_and_the_others_run() {
    bench.claimed(claim(1), ClaimState.LEASED, 1, 0, FIRST);
    bench.receive(message(Consistency.AT_MOST_ONCE, 3));
    bench.answerClaims().answerClaims();
    assertThat(bench.about(1)).contains(new BundleEffect.SendLost(Positions.of(1)));
    runAll();

    for (int position = 0; position < 3; position++) {
      assertThat(item(position).state()).isEqualTo(ClaimState.DONE);
    }
    assertThat(bench.about(1))
        .containsOnlyOnce(new BundleEffect.DeleteMessage())
        .noneMatch(BundleEffect.SendChild.class::isInstance);
  }

  @Test
  void expired_task_runs_again_in_exactly_once_under_its_next_attempt() {
    bench.claimed(claim(0), ClaimState.LEASED, 1, 0, Positions.none());
    bench.receive(message(Consistency.EXACTLY_ONCE, 2));
    bench.answerClaims();
    assertThat(bench.machine.attempt(1, 0)).isEqualTo(2);
    assertThat(bench.machine.attempt(1, 1)).isEqualTo(1);
    assertThat(bench.runs()).hasSize(2);
  }

  @Test
  void task_that_is_done_already_does_not_run_and_holds_nothing_up() {
    bench.claimed(claim(0), ClaimState.DONE, 1, 0, FIRST);
    bench.receive(message(Consistency.EXACTLY_ONCE, 2));
    runAll();
    assertThat(item(0).attempt()).isEqualTo(1);
    assertThat(bench.about(1)).containsOnlyOnce(new BundleEffect.DeleteMessage());
  }

  @Test
  void message_with_a_task_of_somebody_else_is_put_back_for_the_shortest_wait() {
    long now = bench.now.service();
    bench.claimed(claim(0), ClaimState.LEASED, 1, now + 4_000, Positions.none());
    bench.claimed(claim(1), ClaimState.LEASED, 1, now + 9_000, Positions.none());
    bench.receive(message(Consistency.EXACTLY_ONCE, 3));
    bench.answerClaims();
    assertThat(bench.about(1)).noneMatch(BundleEffect.PutBack.class::isInstance);
    bench.answerClaims();
    bench.later(1_000);
    runAll();

    assertThat(item(2).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.about(1))
        .contains(new BundleEffect.PutBack(5_000), new BundleEffect.Close(Reason.GIVEN_BACK))
        .doesNotContain(new BundleEffect.DeleteMessage());
    assertThat(bench.machine.bundlesInHand()).isZero();
  }

  @Test
  void visibility_is_extended_once_per_heartbeat_for_all_tasks() {
    bench.receive(
        WorkerBench.taskByTask(0, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(60_000)));
    bench.answerClaims();
    bench.effects.clear();
    bench.pass(5_000);
    assertThat(bench.about(1))
        .containsOnlyOnce(new BundleEffect.ExtendVisibility(LeaseSettings.DEFAULT.lease()));
  }

  @Test
  void drain_lets_running_tasks_end_and_puts_the_rest_back() {
    bench.receive(message(Consistency.AT_MOST_ONCE, 40));
    bench.answerClaims();
    List<WorkerEffect.Run> runs = bench.runs();
    bench.on(new WorkerEvent.Drain());
    assertThat(bench.about(1)).noneMatch(BundleEffect.PutBack.class::isInstance);
    runs.forEach(bench::slotFree);
    runAll();

    assertThat(item(0).state()).isEqualTo(ClaimState.DONE);
    assertThat(item(1).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.claim(claim(39))).isNull();
    assertThat(bench.about(1))
        .contains(new BundleEffect.PutBack(0), new BundleEffect.Close(Reason.GIVEN_BACK));
  }

  @Test
  void drain_takes_back_the_start_of_what_did_not_start() {
    bench.receive(message(Consistency.AT_MOST_ONCE, 2));
    bench.on(new WorkerEvent.Drain());
    runAll();

    assertThat(item(0).state()).isEqualTo(ClaimState.RELEASED);
    assertThat(item(0).started()).isEqualTo(Positions.none());
    assertThat(bench.about(1)).contains(new BundleEffect.PutBack(0));
  }

  @Test
  void message_ahead_is_given_back_as_a_whole_or_not_at_all() {
    bench.receive(
        WorkerBench.taskByTask(0, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(30_000)),
        WorkerBench.taskByTask(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(30_000)));
    bench.answerClaims();
    bench.pass(300);
    assertThat(bench.about(1))
        .noneMatch(BundleEffect.PutBack.class::isInstance)
        .noneMatch(BundleEffect.SendChild.class::isInstance);
    assertThat(bench.about(2)).contains(new BundleEffect.PutBack(0));
  }

  @Test
  void run_that_is_over_deletes_what_was_not_begun_and_ends_what_was() {
    bench.receive(message(Consistency.EXACTLY_ONCE, 40));
    bench.answerClaims();
    List<WorkerEffect.Run> runs = bench.runs();
    tell(new BundleEvent.RunClosed());
    assertThat(bench.about(1)).contains(new BundleEffect.Kill());
    bench.answerClaims().answerClaims();

    assertThat(item(0).state()).isEqualTo(ClaimState.DONE);
    assertThat(item(0).done()).isEqualTo(Positions.none());
    assertThat(bench.claim(claim(39))).isNull();
    assertThat(bench.about(1)).containsOnlyOnce(new BundleEffect.DeleteMessage());
    assertThat(runs).hasSize(2);
  }

  @Test
  void run_that_is_over_before_anything_began_has_its_message_deleted() {
    WorkerBench busy = WorkerBench.hungry(1);
    busy.receive(
        WorkerBench.bundle(1, Consistency.AT_LEAST_ONCE, 1, WorkerBench.sleep(60_000)),
        message(Consistency.AT_MOST_ONCE, 3));
    busy.on(new WorkerEvent.OfBundle(2, new BundleEvent.RunClosed()));
    assertThat(busy.about(2)).containsExactly(new BundleEffect.DeleteMessage());
  }

  @Test
  void lease_that_is_over_kills_the_message_and_leaves_it() {
    bench.receive(
        WorkerBench.taskByTask(0, Consistency.AT_MOST_ONCE, 4, WorkerBench.sleep(60_000)));
    bench.answerClaims();
    bench.effects.clear();
    bench.later(13_000).tick();
    assertThat(bench.about(1))
        .containsOnlyOnce(new BundleEffect.Kill(), new BundleEffect.Close(Reason.LOST))
        .noneMatch(BundleEffect.PutBack.class::isInstance)
        .doesNotContain(new BundleEffect.DeleteMessage());
    assertThat(bench.machine.bundlesInHand()).isZero();
  }

  @Test
  void message_that_is_left_takes_back_the_attempt_at_every_claim_that_is_held() {
    bench.receive(
        WorkerBench.taskByTask(0, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(60_000)));
    bench.answerClaims();
    bench.later(13_000).tick().answerClaims();

    assertThat(bench.about(1)).contains(new BundleEffect.Close(Reason.LOST));
    for (int position = 0; position < 2; position++) {
      assertThat(item(position).attempt()).isEqualTo(1);
      assertThat(item(position).countedAttempts()).isZero();
    }
  }

  @Test
  void results_that_can_go_nowhere_put_back_what_was_not_begun() {
    bench.receive(message(Consistency.EXACTLY_ONCE, 40));
    bench.answerClaims();
    List<WorkerEffect.Run> runs = bench.runs();
    bench.slotFree(runs.getFirst());
    tell(new BundleEvent.Undeliverable(FIRST, 20_000));
    bench.slotFree(runs.getLast());
    tell(new BundleEvent.Undeliverable(Positions.of(1), 20_000));
    runAll();

    assertThat(item(0).state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.claim(claim(39))).isNull();
    assertThat(bench.about(1)).contains(new BundleEffect.PutBack(20_000));
  }

  @Test
  void task_that_cost_too_many_workers_fails_alone() {
    bench.claimed(claim(1), ClaimState.LEASED, 5, 0, FIRST);
    bench.receive(message(Consistency.EXACTLY_ONCE, 2));
    bench.answerClaims();
    assertThat(bench.about(1))
        .filteredOn(BundleEffect.SendDead.class::isInstance)
        .singleElement()
        .satisfies(effect ->
            assertThat(((BundleEffect.SendDead) effect).tasks()).isEqualTo(Positions.of(1)));
    tell(new BundleEvent.DeadAccepted(Positions.of(1)));
    assertThat(bench.about(1))
        .filteredOn(BundleEffect.SendFailed.class::isInstance)
        .singleElement()
        .satisfies(effect ->
            assertThat(((BundleEffect.SendFailed) effect).tasks()).isEqualTo(Positions.of(1)));
    tell(new BundleEvent.ResultsAccepted(Positions.of(1)));
    runAll();
    assertThat(item(1).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.about(1)).containsOnlyOnce(new BundleEffect.DeleteMessage());
  }

  @Test
  void of_two_tasks_that_cost_workers_their_lives_one_is_given_back_without_counting() {
    bench.claimed(claim(0), ClaimState.LEASED, 2, 0, Positions.none());
    bench.claimed(claim(1), ClaimState.LEASED, 2, 0, Positions.none());
    bench.receive(message(Consistency.EXACTLY_ONCE, 2));
    for (int i = 0; i < 4; i++) {
      bench.answerClaims();
    }
    assertThat(bench.runs())
        .singleElement()
        .satisfies(run -> assertThat(run.tasks()).isEqualTo(FIRST));
    assertThat(item(1).state()).isEqualTo(ClaimState.RELEASED);
    assertThat(item(1).countedAttempts()).isEqualTo(2);
  }

  @Test
  void answers_without_a_claim_are_those_of_the_only_task() {
    bench.receive(message(Consistency.AT_MOST_ONCE, 1));
    bench.effects.clear();
    tell(new BundleEvent.AcquireFailed());
    assertThat(acquisitions()).containsExactly(claim(0));
  }

  @Test
  void answer_that_names_none_of_several_claims_is_refused() {
    bench.receive(message(Consistency.AT_MOST_ONCE, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tell(new BundleEvent.AcquireFailed()))
        .withMessageContaining(ID);
  }

  @Test
  void receive_asks_for_up_to_ten_single_tasks_once_one_was_seen() {
    bench.effects.clear();
    bench.receive(WorkerBench.taskByTask(0, Consistency.AT_MOST_ONCE, 1, WorkerBench.sleep(1)));
    runAll();
    assertThat(bench.of(WorkerEffect.Receive.class))
        .extracting(WorkerEffect.Receive::max)
        .allMatch(max -> max <= 10)
        .last()
        .satisfies(max -> assertThat(max).isGreaterThan(4));
  }
}
