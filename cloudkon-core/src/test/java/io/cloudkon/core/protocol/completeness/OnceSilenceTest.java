package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.FetchResults;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.ReadClaims;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bundles of which nothing is heard, whose claims say nothing of their end. */
class OnceSilenceTest {
  private static final String CLAIM = BundleIds.taskClaim("run/e/0", 0);

  private final CompletenessMachine machine =
      new CompletenessMachine("run", "e", true, ClaimScope.ONCE, CompletenessSettings.DEFAULT);
  private Moment now = new Moment(0, 9_000_000);

  private List<CompletenessEffect> judged(ClaimState state, long leaseLeft) {
    assertThat(machine.bundle(1)).isZero();
    machine.sent(0, now);
    assertThat(machine.allSent(now)).isEmpty();
    now = now.plus(600_000);
    assertThat(machine.lookForSilence(now)).containsExactly(new ReadClaims(List.of(CLAIM)));
    Claim claim =
        new Claim(
            CLAIM,
            state,
            "w",
            "n",
            1,
            0,
            0,
            now.service() + leaseLeft,
            Positions.of(0),
            Positions.none(),
            new TreeMap<>(),
            0);
    return machine.claimsRead(List.of(CLAIM), Map.of(CLAIM, claim), now);
  }

  @Test
  void task_whose_lease_is_over_is_looked_for_in_the_bucket_and_else_lost() {
    List<CompletenessEffect> effects = judged(ClaimState.LEASED, -60_000);
    assertThat(effects).singleElement().isInstanceOf(FetchResults.class);
    assertThat(machine.fetched((FetchResults) effects.getFirst(), now)).hasSize(1);
    assertThat(machine.provisionallyLost()).isEqualTo(1);
  }

  @Test
  void task_whose_owner_may_live_is_left_alone() {
    assertThat(judged(ClaimState.LEASED, 0)).isEmpty();
  }

  @Test
  void task_that_was_given_back_is_left_alone() {
    assertThat(judged(ClaimState.RELEASED, -60_000)).isEmpty();
  }
}
