package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.intake.ReceiveTimes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerMachineTest {
  private static final Consistency NO_CLAIM = Consistency.AT_LEAST_ONCE;

  private static Bundle bundle(int sequence, int tasks, Work work) {
    return WorkerBench.bundle(sequence, NO_CLAIM, tasks, work);
  }

  @Test
  void first_event_makes_an_idle_worker_receive() {
    assertThat(WorkerBench.hungry(2).effects)
        .singleElement()
        .isInstanceOfSatisfying(
            WorkerEffect.Receive.class, receive -> assertThat(receive.max()).isBetween(1, 4));
  }

  @Test
  void tick_without_change_yields_nothing() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.effects.clear();
    assertThat(bench.pass(60_000).effects).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void tick_while_tasks_run_yields_heartbeats_only(Consistency mode) {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(WorkerBench.bundle(0, mode, 2, WorkerBench.sleep(60_000)));
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(2);
    bench.effects.clear();
    bench.pass(4_950);
    assertThat(bench.effects).isEmpty();
    bench.pass(50);
    assertThat(bench.effects).hasSize(mode.claims() ? 2 : 1);
  }

  @Test
  void empty_receive_is_followed_by_one_receive() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.effects.clear();
    bench.receive();
    assertThat(bench.effects).hasSize(1);
    assertThat(bench.tick().effects).hasSize(1);
  }

  @Test
  void failed_receive_is_waited_out() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.effects.clear();
    bench.on(new WorkerEvent.ReceiveFailed()).pass(150);
    assertThat(bench.effects).isEmpty();
    assertThat(bench.pass(50).effects).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void nothing_runs_before_its_claim_is_granted(Consistency mode) {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(WorkerBench.bundle(0, mode, 2, WorkerBench.sleep(5)));
    assertThat(bench.runs()).isEmpty();
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(2);
    assertThat(bench.machine.busySlots()).isEqualTo(2);
    assertThat(bench.machine.attempt(1)).isEqualTo(1);
  }

  @Test
  void long_tasks_go_out_one_by_one() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(bundle(0, 10, WorkerBench.sleep(10)));
    assertThat(bench.runs())
        .extracting(WorkerEffect.Run::tasks)
        .containsExactly(Positions.of(0), Positions.of(1));
  }

  @Test
  void tasks_of_microseconds_go_out_in_chunks_that_all_slots_share() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(bundle(0, 100, WorkerBench.sleep(0)));
    List<WorkerEffect.Run> runs = bench.runs();
    assertThat(runs).hasSize(2);
    assertThat(runs.getFirst().tasks().size()).isEqualTo(50);
    assertThat(runs.getLast().tasks().size()).isBetween(25, 50);
  }

  @Test
  void tasks_of_unknown_length_go_out_one_by_one_until_one_was_seen() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(bundle(0, 1000, WorkerBench.unknown()));
    WorkerEffect.Run first = bench.runs().getFirst();
    assertThat(first.tasks()).isEqualTo(Positions.of(0));
    bench.on(
        new WorkerEvent.SlotFree(
            0,
            first.bundle(),
            first.tasks(),
            10,
            Positions.none(),
            Positions.none(),
            List.of(new WorkerEvent.Sample("never-seen", 1, 10))));
    assertThat(bench.runs().getFirst().tasks().size()).isEqualTo(100);
  }

  @Test
  void of_two_bundles_that_cost_workers_their_lives_one_is_given_back_without_counting() {
    Bundle one = WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 3, WorkerBench.sleep(10));
    Bundle two = WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 3, WorkerBench.sleep(10));
    WorkerBench bench = WorkerBench.hungry(4).diedOf(one, 2).diedOf(two, 2);
    long first = bench.receive(one, two);

    for (int i = 0; i < 4; i++) {
      bench.answerClaims();
    }

    assertThat(bench.runs())
        .singleElement()
        .satisfies(run -> {
          assertThat(run.bundle()).isEqualTo(first);
          assertThat(run.tasks()).isEqualTo(Positions.of(0));
        });
    assertThat(bench.about(first + 1))
        .contains(new BundleEffect.PutBack(LeaseSettings.DEFAULT.lease()));
    assertThat(bench.machine.bundlesInHand()).isEqualTo(1);
  }

  @Test
  void bundle_that_runs_one_by_one_takes_one_slot_and_leaves_the_others_to_others() {
    Bundle suspect = WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 8, WorkerBench.sleep(60_000));
    WorkerBench bench = WorkerBench.hungry(4).diedOf(suspect, 2);
    long first = bench.receive(suspect);
    bench.answerClaims().answerClaims();
    assertThat(bench.runs())
        .singleElement()
        .satisfies(run -> assertThat(run.bundle()).isEqualTo(first));
    assertThat(bench.tick().of(WorkerEffect.Receive.class)).hasSizeGreaterThan(1);

    bench.receive(WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 8, WorkerBench.sleep(60_000)));
    bench.answerClaims();

    assertThat(bench.runs()).hasSize(3).allMatch(run -> run.bundle() == first + 1);
  }

  @Test
  void every_task_runs_exactly_once_whatever_the_chunks() {
    WorkerBench bench = WorkerBench.hungry(3);
    bench.receive(bundle(0, 700, WorkerBench.sleep(0)));
    Positions seen = Positions.none();
    int count = 0;
    for (List<WorkerEffect.Run> runs = bench.runs(); !runs.isEmpty(); runs = bench.runs()) {
      for (WorkerEffect.Run run : runs) {
        seen = seen.plus(run.tasks());
        count += run.tasks().size();
        bench.slotFree(run);
      }
    }
    assertThat(seen).isEqualTo(Positions.range(0, 700));
    assertThat(count).isEqualTo(700);
    assertThat(bench.machine.busySlots()).isZero();
  }

  @Test
  void never_more_than_four_bundles_are_held_ahead() {
    WorkerBench bench = WorkerBench.hungry(1);
    int held = 0;
    for (int i = 0; i < 20; i++) {
      List<WorkerEffect.Receive> asked = bench.of(WorkerEffect.Receive.class);
      bench.effects.clear();
      if (asked.isEmpty()) {
        bench.later(1).tick();
        continue;
      }
      int max = asked.getFirst().max();
      assertThat(held + max).isLessThanOrEqualTo(4 + 1);
      Bundle[] brought = new Bundle[max];
      for (int k = 0; k < max; k++) {
        brought[k] = bundle(10 * i + k, 1, WorkerBench.sleep(4));
      }
      bench.receive(brought);
      held = bench.machine.bundlesInHand() - bench.machine.busySlots();
      assertThat(held).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void bundle_ahead_is_given_back_when_every_slot_is_busy_for_long() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(bundle(0, 1, WorkerBench.sleep(30_000)), bundle(1, 1, WorkerBench.sleep(1)));
    bench.pass(200);
    assertThat(bench.about(2)).isEmpty();
    bench.pass(100);
    assertThat(bench.about(2))
        .containsExactly(
            new BundleEffect.PutBack(0), new BundleEffect.Close(BundleEffect.Reason.GIVEN_BACK));
    assertThat(bench.machine.bundlesInHand()).isEqualTo(1);
  }

  /** The tick came before the news that the slots were free, and bundles went back and forth. */
  @Test
  void worker_that_was_not_scheduled_for_a_while_gives_nothing_away() {
    WorkerBench bench = WorkerBench.hungry(4);
    bench.receive(
        WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 16, WorkerBench.sleep(128)),
        WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 16, WorkerBench.sleep(128)));
    bench.answerClaims();
    List<WorkerEffect.Run> running = bench.runs();
    assertThat(running).hasSize(4);
    bench.pass(50).answerClaims().effects.clear();

    bench.later(270).tick();

    assertThat(bench.effects).isEmpty();
    running.forEach(bench::slotFree);
    assertThat(bench.runs()).hasSize(4);
    assertThat(bench.pass(200).answerClaims().about(2)).isEmpty();
  }

  @Test
  void chunk_of_a_worker_that_was_not_scheduled_for_a_while_is_not_cut() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(bundle(0, 100, WorkerBench.sleep(0)));
    assertThat(bench.runs()).hasSize(2);
    bench.pass(50);
    assertThat(bench.later(270).tick().of(WorkerEffect.CutChunk.class)).isEmpty();
    assertThat(bench.later(50).tick().of(WorkerEffect.CutChunk.class)).hasSize(2);
  }

  @Test
  void worker_all_of_whose_ticks_are_late_gives_back_what_waits_for_long() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(bundle(0, 1, WorkerBench.sleep(30_000)), bundle(1, 1, WorkerBench.sleep(1)));
    bench.later(200).tick().later(200).tick();
    assertThat(bench.about(2)).isEmpty();
    bench.later(200).tick();
    assertThat(bench.about(2)).contains(new BundleEffect.PutBack(0));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void only_worker_gives_nothing_back_and_hands_nothing_on(Consistency mode) {
    WorkerBench bench = WorkerBench.alone(1);
    bench.receive(
        WorkerBench.bundle(0, mode, 4, WorkerBench.sleep(30_000)),
        WorkerBench.bundle(1, mode, 1, WorkerBench.sleep(1)));
    for (int i = 0; i < 60; i++) {
      bench.answerClaims().pass(1_000);
    }
    assertThat(bench.machine.bundlesInHand()).isEqualTo(2);
    assertThat(bench.of(WorkerEffect.OfBundle.class))
        .extracting(WorkerEffect.OfBundle::effect)
        .noneMatch(BundleEffect.PutBack.class::isInstance)
        .noneMatch(BundleEffect.SendChild.class::isInstance);
  }

  @Test
  void worker_whose_slots_are_busy_for_long_receives_nothing() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.effects.clear();
    bench.receive(bundle(0, 1, WorkerBench.sleep(30_000)));
    assertThat(bench.pass(29_000).of(WorkerEffect.Receive.class)).isEmpty();
  }

  @Test
  void rest_of_a_begun_bundle_is_handed_on_when_every_slot_is_busy_for_long() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(30_000)));
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(1);
    bench.pass(300).answerClaims();
    assertThat(bench.about(1)).contains(new BundleEffect.SendChild(1, Positions.of(2, 3)));
    bench.effects.clear();
    assertThat(bench.pass(900).about(1)).isEmpty();
    bench.pass(100).answerClaims();
    assertThat(bench.about(1)).contains(new BundleEffect.SendChild(2, Positions.of(1)));
    bench.effects.clear();
    assertThat(bench.pass(2_000).about(1)).isEmpty();
  }

  @Test
  void bundle_that_was_claimed_for_a_slot_that_does_not_come_back_is_given_back() {
    WorkerBench bench = WorkerBench.hungry(1);
    Bundle next = WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(30_000));
    bench.receive(bundle(0, 1, WorkerBench.sleep(5_000)));
    bench.later(4_999).tick();
    long key = bench.receive(next);
    bench.answerClaims();
    assertThat(bench.pass(1_000).about(key)).noneMatch(BundleEffect.PutBack.class::isInstance);

    bench.pass(100).answerClaims();

    assertThat(bench.about(key)).contains(new BundleEffect.PutBack(0));
    bench.effects.clear();
    assertThat(bench.pass(5_000).of(WorkerEffect.Receive.class)).isEmpty();
  }

  @Test
  void chunk_that_lasts_too_long_is_cut_once_and_its_rest_waits_for_another_slot() {
    WorkerBench bench = WorkerBench.hungry(2);
    long key =
        bench.receive(WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 100, WorkerBench.sleep(0)));
    bench.answerClaims();
    WorkerEffect.Run first = bench.runs().getFirst();
    assertThat(first.tasks().size()).isEqualTo(50);
    bench.pass(200);
    assertThat(bench.of(WorkerEffect.CutChunk.class)).isEmpty();
    bench.pass(50);
    assertThat(bench.of(WorkerEffect.CutChunk.class))
        .containsExactly(new WorkerEffect.CutChunk(0), new WorkerEffect.CutChunk(1));

    Positions rest = first.tasks().minus(Positions.of(0, 1));
    bench.answerClaims().effects.clear();
    bench.on(
        new WorkerEvent.ChunkCut(
            new WorkerEvent.SlotFree(
                first.slot(), key, Positions.of(0), 10, rest, Positions.none(), List.of())));

    assertThat(bench.machine.busySlots()).isEqualTo(2);
    bench.pass(450);
    assertThat(bench.about(key)).contains(new BundleEffect.SendResults(Positions.of(0)));
    bench.pass(550).answerClaims();
    assertThat(bench.about(key))
        .as("half of what waits: 12 that no slot had, and 48 that came back")
        .contains(
            new BundleEffect.SendChild(2, Positions.range(32, 50).plus(Positions.range(75, 87))));
    assertThat(bench.pass(5_000).of(WorkerEffect.CutChunk.class)).isEmpty();
  }

  @Test
  void single_task_is_not_cut() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(bundle(0, 3, WorkerBench.sleep(10)));
    assertThat(bench.runs()).hasSize(1);
    assertThat(bench.pass(5_000).of(WorkerEffect.CutChunk.class)).isEmpty();
  }

  @Test
  void at_most_once_records_a_second_of_starts_ahead() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(WorkerBench.bundle(0, Consistency.AT_MOST_ONCE, 400, WorkerBench.sleep(20)));
    bench.answerClaims();
    Claim claim = bench.claim("run/e/0");
    assertThat(claim).isNotNull();
    assertThat(claim.started()).as("for each of two slots").isEqualTo(Positions.range(0, 100));
  }

  @Test
  void at_most_once_takes_starts_back_as_soon_as_tasks_take_longer() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(WorkerBench.bundle(0, Consistency.AT_MOST_ONCE, 400, WorkerBench.sleep(20)));
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(1);

    bench.pass(300).answerClaims();

    Claim claim = bench.claim("run/e/0");
    assertThat(claim).isNotNull();
    assertThat(claim.started()).isEqualTo(Positions.of(0));
  }

  @Test
  void slot_takes_from_the_next_bundle_when_the_first_one_has_nothing_left() {
    WorkerBench bench = WorkerBench.hungry(2);
    bench.receive(bundle(0, 1, WorkerBench.sleep(20)), bundle(1, 1, WorkerBench.sleep(20)));
    assertThat(bench.runs()).extracting(WorkerEffect.Run::bundle).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void bundle_that_arrives_during_the_drain_is_put_back(Consistency mode) {
    WorkerBench bench = WorkerBench.hungry(1).on(new WorkerEvent.Drain());
    assertThat(bench.machine.drained()).isFalse();
    bench.receive(WorkerBench.bundle(0, mode, 1, WorkerBench.sleep(1)));
    assertThat(bench.about(1)).contains(new BundleEffect.PutBack(0));
    assertThat(bench.runs()).isEmpty();
    assertThat(bench.machine.drained()).isTrue();
  }

  @Test
  void drained_worker_waits_for_its_slots_and_receives_nothing_more() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(bundle(0, 3, WorkerBench.sleep(20)));
    WorkerEffect.Run run = bench.runs().getFirst();
    bench.effects.clear();
    bench.on(new WorkerEvent.Drain()).pass(1_000);
    assertThat(bench.machine.drained()).isFalse();
    bench.slotFree(run);
    assertThat(bench.runs()).isEmpty();
    bench.on(new WorkerEvent.OfBundle(1, new BundleEvent.ResultsAccepted(Positions.of(0))));
    assertThat(bench.about(1)).contains(new BundleEffect.PutBack(0));
    assertThat(bench.of(WorkerEffect.Receive.class)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void second_drain_changes_nothing() {
    WorkerBench bench = WorkerBench.hungry(1).on(new WorkerEvent.Drain());
    bench.on(new WorkerEvent.Drain()).on(new WorkerEvent.ReceiveFailed());
    assertThat(bench.machine.drained()).isTrue();
  }

  @Test
  void answers_for_a_closed_bundle_are_ignored() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.effects.clear();
    bench.on(new WorkerEvent.OfBundle(77, new BundleEvent.Deleted()));
    bench.on(new WorkerEvent.OfBundle(77, new BundleEvent.ResultsAccepted(Positions.of(0))));
    assertThat(bench.effects).isEmpty();
    assertThat(bench.machine.attempt(77)).isZero();
  }

  @Test
  void slot_that_runs_for_a_lost_bundle_is_not_used_before_it_comes_back() {
    WorkerBench bench = WorkerBench.hungry(1);
    bench.receive(WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 1, WorkerBench.sleep(60_000)));
    bench.answerClaims();
    WorkerEffect.Run run = bench.runs().getFirst();
    bench.later(13_000).tick();
    assertThat(bench.about(1)).contains(new BundleEffect.Kill());
    assertThat(bench.machine.busySlots()).isEqualTo(1);
    bench.on(
        new WorkerEvent.SlotFree(
            0, run.bundle(), Positions.none(), 0, Positions.none(), run.tasks(), List.of()));
    assertThat(bench.machine.busySlots()).isZero();
    assertThat(bench.machine.bundlesInHand()).isZero();
  }

  @Test
  void two_copies_on_one_worker_do_not_run_twice() {
    WorkerBench bench = WorkerBench.hungry(4);
    Bundle bundle = WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 1, WorkerBench.sleep(50));
    bench.receive(bundle, bundle);
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(1);
    assertThat(bench.about(2)).contains(new BundleEffect.PutBack(17_000));
  }

  @Test
  void worker_without_slots_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new WorkerSettings(
                "w", 0, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT))
        .withMessageContaining("at least 1 slot");
  }

  @Test
  void message_that_a_receive_waited_for_is_not_hidden_anew_at_once() {
    WorkerBench bench = WorkerBench.hungry(1);
    Bundle one = bundle(0, 1, WorkerBench.sleep(60_000));
    bench.later(10_000);
    bench.on(
        new WorkerEvent.Received(
            List.of(new WorkerEvent.Arrival(1, one, "n")),
            bench.now.plus(-10_000),
            new ReceiveTimes(9_990, -1)));
    assertThat(bench.pass(2_950).about(1)).isEmpty();
    assertThat(bench.pass(50).about(1))
        .as("the clocks may differ by two seconds")
        .containsExactly(new BundleEffect.ExtendVisibility(LeaseSettings.DEFAULT.lease()));
  }

  @Test
  void worker_says_when_it_asks_for_the_next_bundle_and_its_claim_so_that_no_slot_waits() {
    WorkerBench bench = WorkerBench.hungry(1);
    long first =
        bench.receive(WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 1, WorkerBench.sleep(1_000)));
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(1);
    bench.effects.clear();

    double untilReceive = bench.machine.decidesInMicros();
    assertThat(untilReceive).isBetween(900_000.0, 999_000.0);
    assertThat(bench.tick().of(WorkerEffect.Receive.class)).isEmpty();
    bench.later((long) Math.ceil(untilReceive / 1000)).tick();
    assertThat(bench.of(WorkerEffect.Receive.class)).hasSize(1);

    long second =
        bench.receive(WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 1, WorkerBench.sleep(1_000)));
    assertThat(bench.about(second)).isEmpty();
    for (int looks = 0; bench.about(second).isEmpty(); looks++) {
      assertThat(looks).isLessThan(3);
      bench.later((long) Math.ceil(bench.machine.decidesInMicros() / 1000)).tick();
    }
    assertThat(bench.about(first)).isEmpty();
    assertThat(bench.machine.busySlots()).isEqualTo(1);
  }

  @Test
  void worker_that_can_only_wait_for_events_decides_nothing_by_itself() {
    WorkerBench bench = WorkerBench.hungry(1);
    assertThat(bench.machine.decidesInMicros()).isInfinite();
    long unused =
        bench.receive(WorkerBench.bundle(0, Consistency.EXACTLY_ONCE, 1, WorkerBench.unknown()));
    bench.answerClaims();
    assertThat(bench.runs()).hasSize(1);
    assertThat(bench.machine.decidesInMicros()).isInfinite();
  }
}
