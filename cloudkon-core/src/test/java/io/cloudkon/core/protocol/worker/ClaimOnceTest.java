package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
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

/** Messages as published: one task in each, its claim written once, one step after the other. */
class ClaimOnceTest {
  private static final Positions ONLY = Positions.of(0);
  private static final long LEASE = LeaseSettings.DEFAULT.lease();

  private final WorkerBench bench = WorkerBench.hungry(2);

  private static Bundle message(int sequence, long millis) {
    return message(sequence, Consistency.AT_MOST_ONCE, millis);
  }

  private static Bundle message(int sequence, Consistency mode, long millis) {
    return WorkerBench.bundle(sequence, mode, ClaimScope.ONCE, 1, WorkerBench.sleep(millis));
  }

  private static String claim(int sequence) {
    return BundleIds.taskClaim(BundleIds.of("run", "e", sequence), 0);
  }

  private Claim item(int sequence) {
    return Objects.requireNonNull(bench.claim(claim(sequence)));
  }

  private List<ClaimEffect.Call> claimCalls(long key) {
    return bench.about(key).stream()
        .filter(BundleEffect.CallClaims.class::isInstance)
        .map(effect -> ((BundleEffect.CallClaims) effect).call())
        .toList();
  }

  private void tell(long key, BundleEvent event) {
    bench.on(new WorkerEvent.OfBundle(key, event));
  }

  @Test
  void owner_writes_at_the_start_and_deletes_the_message_without_writing_again() {
    bench.receive(message(0, 10));
    assertThat(claimCalls(1)).singleElement().isInstanceOf(ClaimEffect.Acquire.class);
    bench.answerClaims();
    bench.slotFree(bench.runs().getFirst());
    tell(1, new BundleEvent.ResultsAccepted(ONLY));

    assertThat(claimCalls(1)).isEmpty();
    assertThat(bench.about(1)).contains(new BundleEffect.DeleteMessage());
    assertThat(item(0).state()).isEqualTo(ClaimState.LEASED);
    assertThat(item(0).started()).isEqualTo(ONLY);
    assertThat(item(0).seq()).isZero();
    bench.pass(LEASE);
    assertThat(claimCalls(1)).isEmpty();
    tell(1, new BundleEvent.Deleted());
    assertThat(bench.about(1)).contains(new BundleEffect.Close(Reason.COMPLETE));
  }

  @Test
  void message_stays_until_the_result_is_accepted() {
    bench.receive(message(0, 10));
    bench.answerClaims();
    bench.slotFree(bench.runs().getFirst());
    assertThat(bench.about(1))
        .contains(new BundleEffect.SendResults(ONLY))
        .doesNotContain(new BundleEffect.DeleteMessage());
  }

  @Test
  void later_copy_is_reported_lost_once_the_lease_is_over() {
    bench.claimed(claim(0), ClaimState.LEASED, 1, 0, ONLY);
    bench.receive(message(0, 10));
    bench.answerClaims().answerClaims();

    assertThat(bench.runs()).isEmpty();
    assertThat(bench.about(1)).contains(new BundleEffect.SendLost(ONLY));
    assertThat(item(0).state()).isEqualTo(ClaimState.LOSING);
    tell(1, new BundleEvent.ResultsAccepted(ONLY));
    bench.answerClaims();
    assertThat(item(0).state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.about(1)).contains(new BundleEffect.DeleteMessage());
  }

  @Test
  void later_copy_says_nothing_while_the_owner_may_live() {
    bench.claimed(claim(0), ClaimState.LEASED, 1, bench.now.service() + 4_000, ONLY);
    bench.receive(message(0, 10));
    bench.answerClaims();

    assertThat(bench.runs()).isEmpty();
    assertThat(bench.about(1))
        .contains(new BundleEffect.PutBack(4_000 + LeaseSettings.DEFAULT.margin()))
        .noneMatch(BundleEffect.SendLost.class::isInstance);
    assertThat(item(0).state()).isEqualTo(ClaimState.LEASED);
  }

  @Test
  void owner_of_a_long_task_keeps_its_lease_and_the_message() {
    bench.receive(message(0, 60_000));
    bench.answerClaims();
    long first = item(0).leaseEnd();
    bench.effects.clear();
    bench.pass(LEASE / 3 + 50);
    assertThat(bench.about(1)).contains(new BundleEffect.ExtendVisibility(LEASE));
    bench.answerClaims();
    assertThat(item(0).leaseEnd()).isGreaterThan(first);
    assertThat(item(0).state()).isEqualTo(ClaimState.LEASED);
  }

  @Test
  void owner_past_its_lease_kills_and_sends_nothing() {
    bench.receive(message(0, 60_000));
    bench.answerClaims();
    WorkerEffect.Run run = bench.runs().getFirst();
    bench.later(LEASE).tick();
    bench.slotFree(run);
    assertThat(bench.about(1))
        .contains(new BundleEffect.Kill(), new BundleEffect.Close(Reason.LOST))
        .noneMatch(BundleEffect.SendResults.class::isInstance);
  }

  @Test
  void drained_worker_takes_back_a_start_that_did_not_happen() {
    bench.receive(message(0, 10));
    bench.on(new WorkerEvent.Drain());
    for (int i = 0; i < 3; i++) {
      bench.answerClaims();
    }
    assertThat(item(0).state()).isEqualTo(ClaimState.RELEASED);
    assertThat(item(0).started()).isEqualTo(Positions.none());
    assertThat(bench.about(1)).contains(new BundleEffect.PutBack(0));
  }

  @Test
  void claim_is_asked_for_when_a_slot_is_free_and_not_before() {
    bench.receive(message(0, 10), message(1, 10), message(2, 10));
    bench.answerClaims();
    List<WorkerEffect.Run> runs = bench.runs();
    assertThat(runs).hasSize(2);
    bench.later(9).tick();
    assertThat(claimCalls(3)).isEmpty();

    bench.slotFree(runs.getFirst());
    assertThat(claimCalls(3)).singleElement().isInstanceOf(ClaimEffect.Acquire.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_MOST_ONCE", "AT_LEAST_ONCE"})
  void worker_receives_ten_when_a_slot_is_free_and_nothing_is_left(Consistency mode) {
    bench.receive(message(0, mode, 10), message(1, mode, 10), message(2, mode, 10));
    bench.answerClaims();
    bench.effects.removeIf(WorkerEffect.Receive.class::isInstance);
    List<WorkerEffect.Run> runs = bench.runs();
    bench.later(9).tick();
    bench.slotFree(runs.getFirst());
    assertThat(bench.of(WorkerEffect.Receive.class)).isEmpty();

    bench.answerClaims();
    bench.slotFree(runs.getLast());
    assertThat(bench.of(WorkerEffect.Receive.class))
        .containsExactly(new WorkerEffect.Receive(Limits.BATCH));
  }
}
