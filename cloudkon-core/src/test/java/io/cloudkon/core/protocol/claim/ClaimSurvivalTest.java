package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.ClaimEffect.Lost;
import io.cloudkon.core.protocol.claim.ClaimEffect.Survive;
import org.junit.jupiter.api.Test;

/** Owners that lose their lease and live: the attempt was no death. */
class ClaimSurvivalTest {
  private final ClaimBench bench = ClaimBench.exactlyOnce().granted();

  @Test
  void owner_whose_lease_is_over_takes_its_attempt_back() {
    bench.later(13_000).tick();

    assertThat(bench.news).endsWith(new Lost());
    assertThat(bench.survived).containsExactly(new Survive(bench.item().id(), 1));
  }

  @Test
  void owner_that_somebody_succeeded_takes_its_attempt_back() {
    bench.later(5_000).tick();
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();

    assertThat(bench.survived).containsExactly(new Survive(bench.item().id(), 1));
  }

  @Test
  void owner_that_was_ending_it_takes_its_attempt_back() {
    bench.take(bench.machine.end(bench.now));
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();

    assertThat(bench.survived).containsExactly(new Survive(bench.item().id(), 1));
  }

  @Test
  void owner_that_was_releasing_it_does_not_as_the_release_may_have_taken_effect() {
    bench.take(bench.machine.release(bench.now));
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();

    assertThat(bench.news).endsWith(new Lost());
    assertThat(bench.survived).isEmpty();
  }

  @Test
  void owner_of_ranks_that_died_does_not() {
    assertThat(bench.machine.attemptCounts(false)).isEmpty();
    bench.later(13_000).tick();

    assertThat(bench.news).endsWith(new Lost());
    assertThat(bench.survived).isEmpty();
  }

  @Test
  void at_most_once_counts_no_attempts_and_takes_none_back() {
    ClaimBench once = ClaimBench.atMostOnce().granted();
    once.later(13_000).tick();

    assertThat(once.news).endsWith(new Lost());
    assertThat(once.survived).isEmpty();
  }
}
