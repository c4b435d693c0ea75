package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.ExtendVisibility;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendDead;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendFailed;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a policy does not allow this worker: the bundle is given back, and held for ever by none.
 */
class BundleRefusedTest {
  private static final long LEASE = LeaseSettings.DEFAULT.lease();

  /** A bundle of which five workers died with task 1. */
  private static BundleBench givenUp() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE);
    bench.item =
        new Claim(
            "run/e/0",
            ClaimState.LEASED,
            "other",
            "n0",
            5,
            3,
            0,
            0,
            Positions.of(1),
            Positions.of(0, 2, 3),
            new TreeMap<>(),
            0);
    return bench.begin();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void acquisition_that_is_not_allowed_gives_the_bundle_back(Consistency consistency) {
    BundleBench bench = new BundleBench(consistency);
    bench.on(new BundleEvent.Begin(BundleBench.TASKS));

    bench.on(new BundleEvent.AcquireRefused("", 2_000));

    assertThat(bench.asked()).containsExactly(new PutBack(2_000), new Close(Reason.GIVEN_BACK));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
  }

  /** Its starts would stay recorded, else, and be LOST by whoever has it next. */
  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void acquisition_that_may_have_taken_effect_before_is_asked_for_until_its_lease_is_over(
      Consistency consistency) {
    BundleBench bench = new BundleBench(consistency);
    bench.on(new BundleEvent.Begin(BundleBench.TASKS));
    bench.on(new BundleEvent.AcquireFailed(""));
    bench.asked();
    bench.calls.clear();

    bench.on(new BundleEvent.AcquireRefused("", 2_000));
    assertThat(bench.calls).hasSize(1);
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLAIMING);
    bench.later(LEASE).on(new BundleEvent.AcquireRefused("", 2_000));

    assertThat(bench.asked()).contains(new PutBack(2_000), new Close(Reason.GIVEN_BACK));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void end_that_may_not_be_written_is_tried_until_the_lease_is_over(Consistency consistency) {
    BundleBench bench = BundleBench.running(consistency);
    bench.runAll();
    bench.accepted(0, 1, 2, 3);
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);

    bench.on(new BundleEvent.WriteFailed("", bench.write().seq(), true));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
    bench.calls.removeFirst();
    bench.later(LEASE);
    bench.on(new BundleEvent.WriteFailed("", bench.write().seq(), true));

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
    assertThat(bench.asked()).last().isEqualTo(new Close(Reason.LOST));
    bench.later(LEASE).on(new BundleEvent.Tick());
    assertThat(bench.asked()).isEmpty();
  }

  @Test
  void release_that_may_not_be_written_ends_with_the_lease() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    bench.on(new BundleEvent.Drain());
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.RELEASING);

    bench.later(LEASE);
    bench.on(new BundleEvent.WriteFailed("", bench.write().seq(), true));

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
  }

  @Test
  void end_that_failed_in_passing_is_tried_past_the_lease_as_before() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    bench.runAll();
    bench.accepted(0, 1, 2, 3);

    bench.later(LEASE);
    bench.on(new BundleEvent.WriteFailed(bench.write().seq()));

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.ENDING);
  }

  @Test
  void letter_that_may_not_be_sent_gives_the_bundle_back_with_its_task_told_and_unrecorded() {
    BundleBench bench = givenUp();
    assertThat(bench.asked()).singleElement().isInstanceOf(SendDead.class);

    bench.on(new BundleEvent.DeadRefused(Positions.none(), 60_000));
    assertThat(bench.asked()).singleElement().isInstanceOf(SendFailed.class);
    bench.accepted(1);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().releases()).isEqualTo(1);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 2, 3));
    bench.answer();

    assertThat(bench.asked()).contains(new PutBack(60_000));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
  }

  @Test
  void who_has_it_next_gives_it_up_again_and_sends_its_letter() {
    BundleBench first = givenUp();
    first.on(new BundleEvent.DeadRefused(Positions.none(), 60_000)).accepted(1).answer();

    BundleBench next = new BundleBench(Consistency.EXACTLY_ONCE, "n2");
    next.item = first.item;
    next.begin();
    assertThat(next.machine.phase()).isEqualTo(BundlePhase.GIVING_UP);
    assertThat(next.asked()).anyMatch(effect -> effect instanceof SendDead);
    next.letterAccepted().accepted(1);

    assertThat(next.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(next.write().done()).isEqualTo(BundleBench.ALL);
  }

  @Test
  void child_that_may_not_be_sent_stays_in_the_claim_and_what_runs_may_finish() {
    BundleBench bench = BundleBench.running(Consistency.EXACTLY_ONCE);
    bench.takeTasks(1);
    bench.on(new BundleEvent.HandOff());
    bench.answer();
    assertThat(bench.asked()).contains(new SendChild(1, Positions.of(2, 3)));

    bench.on(new BundleEvent.ChildRefused(1, 60_000));
    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.DRAINING);
    bench.finished(0).accepted(0);
    assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
    assertThat(bench.write().children().get(1).sent()).isFalse();
    bench.answer();

    assertThat(bench.asked()).contains(new PutBack(60_000));
  }

  @Test
  void at_most_once_losses_whose_child_may_not_be_sent_are_left_to_the_next_owner() {
    BundleBench bench = BundleBench.losing();
    bench.answer();
    bench.accepted(1);
    bench.asked();

    bench.on(new BundleEvent.ChildRefused(1, 60_000));
    while (!bench.calls.isEmpty()) {
      bench.answer();
    }

    assertThat(bench.machine.phase()).isEqualTo(BundlePhase.CLOSED);
    assertThat(bench.asked())
        .contains(new PutBack(60_000))
        .doesNotHaveAnyElementsOfTypes(SendChild.class, ExtendVisibility.class);
    assertThat(bench.item.state()).isEqualTo(ClaimState.LOSING);
    assertThat(bench.item.done().contains(1)).isTrue();
  }
}
