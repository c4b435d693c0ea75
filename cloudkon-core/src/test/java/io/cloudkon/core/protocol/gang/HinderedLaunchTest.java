package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A job whose launcher cannot start on its manager's worker: another manager is to have it. */
class HinderedLaunchTest {
  private static final String REASON = "it cannot start processes: error=11";

  private final GangBench bench = new GangBench(2);

  private static GangEvent hindered(String gang, int attempt, long hiddenMillis) {
    return new GangEvent.LaunchHindered(gang, GangBench.JOB, attempt, REASON, hiddenMillis);
  }

  private List<BundleEffect> ofBundle() {
    return bench.effects.stream()
        .filter(GangEffect.OfBundle.class::isInstance)
        .map(effect -> ((GangEffect.OfBundle) effect).effect())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void job_is_noted_and_given_back_with_its_message_and_counts_no_attempt(Consistency mode) {
    String gang = bench.running(2, mode);
    bench.on(hindered(gang, 1, 30_000));

    assertThat(bench.order)
        .containsSubsequence("note", "RELEASED", "put back")
        .doesNotContain("LOST", "settle");
    assertThat(bench.claim().countedAttempts()).isZero();
    assertThat(bench.claim().started().isEmpty()).isTrue();
    assertThat(ofBundle())
        .endsWith(
            new BundleEffect.PutBack(30_000),
            new BundleEffect.Close(BundleEffect.Reason.GIVEN_BACK));
    assertThat(bench.count(GangEffect.Rearm.class)).isZero();
    assertThat(bench.manager.jobsInHand()).isZero();
  }

  @Test
  void slots_are_free_at_once_for_the_manager_that_has_the_job_next() {
    String gang = bench.running(2, Consistency.EXACTLY_ONCE);
    bench.on(hindered(gang, 1, 0));

    assertThat(bench.order).contains("dissolve");
    assertThat(bench.manager.gangsManaged()).isZero();
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(2, 0));
  }

  @Test
  void fifth_worker_reports_FAILED_with_the_reason() {
    bench.workersThatCannotStart = 5;
    String gang = bench.running(2, Consistency.EXACTLY_ONCE);
    bench.on(hindered(gang, 1, 0));

    assertThat(bench.order)
        .contains(
            "FAILED 5 workers could not start it, and it is not tried again; the last one"
                + " reported: "
                + REASON)
        .endsWith("DONE", "delete");
    assertThat(bench.claim().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.manager.jobsInHand()).isZero();
  }

  @Test
  void launch_of_another_attempt_or_job_changes_nothing() {
    String gang = bench.running(2, Consistency.EXACTLY_ONCE);
    bench.on(hindered(gang, 2, 0));
    bench.on(new GangEvent.LaunchHindered(gang, "run/e/9", 1, REASON, 0));
    bench.on(hindered("another", 1, 0));

    assertThat(bench.order).doesNotContain("note", "RELEASED", "dissolve");
    assertThat(bench.manager.jobsInHand()).isEqualTo(1);
  }

  @Test
  void job_whose_sub_worker_is_lost_meanwhile_is_tried_again_in_the_same_hands() {
    String gang = bench.running(2, Consistency.EXACTLY_ONCE);
    bench.on(new GangEvent.StartFailed(gang, GangBench.JOB, 1, "w1"));
    bench.on(hindered(gang, 1, 0));
    bench.later(100);

    assertThat(bench.order).contains("dissolve", "RELEASED").doesNotContain("note", "put back");
    assertThat(bench.claim().releases()).isEqualTo(1);
    assertThat(bench.manager.jobsInHand()).isEqualTo(1);
  }
}
