package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job that is tried again after a rank failed. */
class JobRetriesTest {
  private final GangBench bench = new GangBench(2);

  /** Both ranks of the gang's job fail; the job's last try if it has no other. */
  private void fails(String gang) {
    int attempt = bench.last(GangEffect.Start.class).attempt();
    bench.beat(gang, "w0", GangBench.ended(attempt, 0, false));
    bench.beat(gang, "w1", GangBench.ended(attempt, 1, false));
  }

  private static final Share OTHERS =
      Share.ofGang("g", "other", 2, "run/e/other", Long.MAX_VALUE / 2);

  /** Another worker's gang takes all slots. */
  private void othersTakeTheSlots(String token) {
    assertThat(LedgerRules.change(bench.ledger, new LedgerChange.Admit(token, List.of(OTHERS), 0)))
        .isTrue();
  }

  private void othersFreeTheSlots() {
    assertThat(LedgerRules.change(bench.ledger, new LedgerChange.Remove("free", OTHERS, false)))
        .isTrue();
  }

  private List<Waiting> waiting() {
    return bench.effects.stream()
        .filter(GangEffect.OfLedger.class::isInstance)
        .map(effect -> ((GangEffect.OfLedger) effect).call())
        .filter(CapacityEffect.PutWaiting.class::isInstance)
        .map(call -> ((CapacityEffect.PutWaiting) call).waiting())
        .toList();
  }

  @Test
  void job_that_is_tried_again_waits_since_its_last_try_however_long_that_took() {
    othersTakeTheSlots("before");
    bench.receiveWithRetries(2, 1);
    bench.later(500);
    othersFreeTheSlots();
    bench.later(3_000);
    String gang = bench.starts(2);
    for (int i = 0; i < 60; i++) {
      bench.later(2_000);
      bench.beat(gang, "w0");
      bench.beat(gang, "w1");
    }
    bench.silentResults = true;
    fails(gang);
    bench.later(1_000);
    othersTakeTheSlots("after");
    bench.made(bench.last(GangEffect.Settle.class));
    long failed = bench.now.service();
    bench.effects.clear();
    bench.later(5_000);

    assertThat(waiting()).isNotEmpty().allMatch(job -> job.since() >= failed);
    assertThat(bench.ledger.reservation()).as("its patience counts from then").isNull();
    bench.later(60_000);
    assertThat(bench.ledger.reservation()).isNotNull();
  }

  @Test
  void job_that_was_never_refused_waits_since_its_last_try() {
    bench.receiveWithRetries(2, 1);
    bench.silentResults = true;
    fails(bench.starts(2));
    bench.later(1_000);
    othersTakeTheSlots("after");
    bench.made(bench.last(GangEffect.Settle.class));
    long failed = bench.now.service();
    bench.later(5_000);

    assertThat(waiting()).isNotEmpty().allMatch(job -> job.since() >= failed);
    assertThat(bench.ledger.reservation()).isNull();
  }

  @Test
  void failed_tries_count_where_the_gang_of_the_next_one_does_not_fill() {
    bench.receiveWithRetries(2, 1);
    String gang = bench.starts(2);
    bench.leaves(gang, "w1"); // so that its gang serves nothing more
    fails(gang);
    bench.later(1_000);
    long offered = bench.count(GangEffect.Offer.class);
    assertThat(offered).isGreaterThan(1);
    bench.later(10_000);
    assertThat(bench.count(GangEffect.Rearm.class)).as("it did not fill").isEqualTo(1);
    for (int i = 0; i < 1_000 && bench.count(GangEffect.Offer.class) == offered; i++) {
      bench.later(50);
    }

    fails(bench.starts(2));
    bench.later(1_000);

    assertThat(bench.order).contains("results");
    assertThat(bench.manager.jobsInHand()).isZero();
    assertThat(bench.count(GangEffect.Start.class)).as("tries").isEqualTo(2);
    assertThat(bench.claim().state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void job_without_retries_is_tried_once() {
    String gang = bench.running(2, Consistency.EXACTLY_ONCE);
    fails(gang);
    bench.later(1_000);

    assertThat(bench.count(GangEffect.Start.class)).isEqualTo(1);
    assertThat(bench.manager.jobsInHand()).isZero();
  }
}
