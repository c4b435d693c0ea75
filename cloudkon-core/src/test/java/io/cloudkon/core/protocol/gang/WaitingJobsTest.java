package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Jobs that wait for room while other workers do them, or leave. */
class WaitingJobsTest {
  private static final Consistency EXACTLY = Consistency.EXACTLY_ONCE;
  private static final String SMALL = "run/e/1";

  /** The manager with the large job; another worker has as many slots as this one. */
  private final GangBench bench = new GangBench(2);

  private String small = "";

  /** A job of four ranks waits, since another one runs on two of the four slots. */
  private void waitsBehindAnother() {
    bench.join("other", 2);
    bench.receive(1, SMALL, 2, EXACTLY);
    small = bench.last(GangEffect.Offer.class).gang();
    bench.receive(2, GangBench.JOB, 4, EXACTLY);
    bench.register(small, "other", 0, 1);
  }

  private void later(long millis) {
    for (long left = millis; left > 0; left -= 2_500) {
      bench.later(Math.min(2_500, left));
      bench.beat(small, "other");
    }
  }

  private void smallOneEnds() {
    bench.beat(
        small,
        "other",
        new GangEvent.Ended(SMALL, 1, 0, GangEvent.How.WELL),
        new GangEvent.Ended(SMALL, 1, 1, GangEvent.How.WELL));
  }

  private void anotherWorkerFinishesTheJob() {
    bench.claims.put(
        GangBench.JOB,
        new Claim(
            GangBench.JOB,
            ClaimState.DONE,
            "other",
            "n",
            1,
            1,
            0,
            0,
            Positions.none(),
            Positions.range(0, 1),
            new TreeMap<>(),
            Long.MAX_VALUE,
            Positions.none()));
  }

  private void theOtherWorkerLeaves() {
    Share share = Share.ofWorker("other", 2, Long.MAX_VALUE / 2);
    assertThat(LedgerRules.change(bench.ledger, new LedgerChange.Remove("l", share, false)))
        .isTrue();
  }

  @Test
  void job_that_another_worker_finishes_meanwhile_is_closed_within_a_lease() {
    waitsBehindAnother();
    later(5_000);
    assertThat(bench.count(GangEffect.ReadClaim.class)).isEqualTo(1);
    anotherWorkerFinishesTheJob();
    later(15_000);

    assertThat(bench.manager.jobsInHand()).as("only the small one").isEqualTo(1);
    assertThat(bench.order).contains("delete");
    assertThat(bench.ledger.view().waiting()).isEmpty();
  }

  @Test
  void claim_of_a_job_that_waits_is_read_once_a_lease() {
    waitsBehindAnother();
    later(46_000);

    assertThat(bench.count(GangEffect.ReadClaim.class)).isEqualTo(4);
  }

  /** It waited since 1970 then, and took the cluster's slots at once. */
  @Test
  void time_that_a_former_worker_did_not_know_uses_up_no_patience() {
    bench.ledger.put(new Waiting(GangBench.JOB, 4, 1, "former", bench.now.service() + 15_000));
    waitsBehindAnother();
    later(50_000);
    assertThat(bench.ledger.view().waiting())
        .extracting(Waiting::since)
        .as("is kept")
        .containsExactly(1L);
    assertThat(bench.ledger.reservation()).isNull();

    later(20_000);
    assertThat(bench.ledger.reservation()).isNotNull();
  }

  @Test
  void reservation_is_given_back_once_workers_leave_and_the_job_does_not_fit_any_more() {
    waitsBehindAnother();
    later(67_500);
    assertThat(bench.ledger.counter().reserved()).isEqualTo(4);
    theOtherWorkerLeaves();
    later(5_000);

    assertThat(bench.ledger.reservation()).isNull();
    assertThat(bench.ledger.counter().reserved()).isZero();
    assertThat(bench.manager.jobsInHand()).as("it waits on").isEqualTo(2);
    bench.join("another", 2);
    assertThat(bench.ledger.reservation()).as("it fits again").isNotNull();
  }

  @Test
  void reservation_stays_while_slots_are_asked_for_by_it() {
    waitsBehindAnother();
    later(67_500);
    assertThat(LedgerRules.keep(bench.ledger, GangBench.JOB, "me", 0, 2)).isTrue();
    assertThat(LedgerRules.keep(bench.ledger, GangBench.JOB, "other", 0, 2)).isTrue();
    bench.silentAdmissions = true;
    smallOneEnds();
    bench.later(6_000);
    assertThat(bench.order).endsWith("AdmitReserved unanswered");
    theOtherWorkerLeaves();
    bench.later(10_000);

    assertThat(bench.order).doesNotContain("Unreserve");
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(2, 4));
  }
}
