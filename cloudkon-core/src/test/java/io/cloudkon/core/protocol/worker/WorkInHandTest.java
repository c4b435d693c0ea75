package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import org.junit.jupiter.api.Test;

/**
 * A worker works on what is its own: a copy of another worker's bundle does not keep it alive, as
 * long as that worker lives.
 */
class WorkInHandTest {
  private static final long VISIBLE_AGAIN_MILLIS = 15_000;

  private final WorkerBench bench = WorkerBench.hungry(2);

  @Test
  void copy_of_a_bundle_that_another_worker_runs_is_no_work_however_often_it_comes() {
    Bundle bundle = WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10));
    for (int times = 0; times < 5; times++) {
      bench.claimed(
          bundle.header().bundle(),
          ClaimState.LEASED,
          1,
          bench.now.service() + VISIBLE_AGAIN_MILLIS,
          Positions.none());
      long key = bench.receive(bundle);
      assertThat(bench.machine.bundlesInHand()).isEqualTo(1);
      assertThat(works()).as("its owner may have died since").isEqualTo(times == 1);

      bench.answerClaims();

      assertThat(bench.about(key)).anyMatch(BundleEffect.PutBack.class::isInstance);
      assertThat(works()).as("the owner has to show that it lives").isEqualTo(times == 0);
      assertThat(bench.machine.bundlesInHand()).isZero();
      bench.pass(VISIBLE_AGAIN_MILLIS);
    }
  }

  private boolean works() {
    return bench.machine.works(bench.now);
  }

  /** The last idle worker left 2 s before the dead worker's bundle could be taken over. */
  @Test
  void bundle_whose_owner_may_have_died_is_work_until_it_was_visible_again() {
    Bundle bundle = WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10));
    long leaseEnd = bench.now.service();
    bench.claimed(bundle.header().bundle(), ClaimState.LEASED, 1, leaseEnd, Positions.none());
    bench.receive(bundle);
    bench.answerClaims();
    assertThat(bench.machine.bundlesInHand()).isZero();

    bench.pass(LeaseSettings.DEFAULT.margin());

    assertThat(works()).isTrue();
    bench.pass(60_000);
    assertThat(works()).as("somebody else has taken it").isFalse();
  }

  @Test
  void bundle_whose_owner_did_not_renew_its_lease_is_work_again() {
    Bundle bundle = WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10));
    long leaseEnd = bench.now.service() + 120_000;
    bench.claimed(bundle.header().bundle(), ClaimState.LEASED, 1, leaseEnd, Positions.none());
    for (int times = 0; times < 2; times++) {
      bench.receive(bundle);
      bench.answerClaims();
      bench.pass(60_000);
    }

    assertThat(works()).isTrue();
  }

  @Test
  void bundle_whose_acquisition_is_not_answered_is_work_however_long_the_outage() {
    long key =
        bench.receive(WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10)));
    for (int i = 0; i < 100; i++) {
      bench.on(new WorkerEvent.OfBundle(key, new BundleEvent.AcquireFailed()));
      bench.pass(10_000);
      assertThat(works()).isTrue();
    }
  }

  @Test
  void task_whose_acquisition_is_not_answered_is_work() {
    Bundle bundle = WorkerBench.taskByTask(1, Consistency.EXACTLY_ONCE, 1, WorkerBench.sleep(10));
    long key = bench.receive(bundle);
    String claim = BundleIds.taskClaim(bundle.header().bundle(), 0);
    bench.on(new WorkerEvent.OfBundle(key, new BundleEvent.AcquireFailed(claim)));

    assertThat(works()).isTrue();
  }

  @Test
  void bundle_is_work_once_its_claim_is_granted() {
    bench.receive(WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10)));

    bench.answerClaims();

    assertThat(works()).isTrue();
  }

  @Test
  void tasks_with_a_claim_each_are_work_once_one_is_granted() {
    bench.receive(WorkerBench.taskByTask(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10)));
    assertThat(works()).isFalse();

    bench.answerClaims();

    assertThat(works()).isTrue();
  }

  @Test
  void bundle_without_a_claim_is_work_at_once() {
    bench.receive(WorkerBench.bundle(1, Consistency.AT_LEAST_ONCE, 4, WorkerBench.sleep(10)));

    assertThat(works()).isTrue();
  }
}
