package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.claim.ClaimState;
import org.junit.jupiter.api.Test;

/** A worker works on what is its own: a copy of another worker's bundle does not keep it alive. */
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
      assertThat(bench.machine.works()).as("nobody knows whose it is").isFalse();

      bench.answerClaims();

      assertThat(bench.about(key)).anyMatch(BundleEffect.PutBack.class::isInstance);
      assertThat(bench.machine.works()).isFalse();
      assertThat(bench.machine.bundlesInHand()).isZero();
      bench.pass(VISIBLE_AGAIN_MILLIS);
    }
  }

  @Test
  void bundle_is_work_once_its_claim_is_granted() {
    bench.receive(WorkerBench.bundle(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10)));

    bench.answerClaims();

    assertThat(bench.machine.works()).isTrue();
  }

  @Test
  void tasks_with_a_claim_each_are_work_once_one_is_granted() {
    bench.receive(WorkerBench.taskByTask(1, Consistency.EXACTLY_ONCE, 4, WorkerBench.sleep(10)));
    assertThat(bench.machine.works()).isFalse();

    bench.answerClaims();

    assertThat(bench.machine.works()).isTrue();
  }

  @Test
  void bundle_without_a_claim_is_work_at_once() {
    bench.receive(WorkerBench.bundle(1, Consistency.AT_LEAST_ONCE, 4, WorkerBench.sleep(10)));

    assertThat(bench.machine.works()).isTrue();
  }
}
