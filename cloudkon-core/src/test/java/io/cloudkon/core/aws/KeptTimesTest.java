package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How the times for which messages, claims and runs are kept depend on each other. */
final class KeptTimesTest {
  private static final Duration CLAIM = Duration.ofSeconds(Claim.KEPT_SECONDS);
  private static final Duration RUN = Duration.ofSeconds(Items.KEPT_SECONDS);

  /** Silent bundles are looked at once a day, so a client may send again a day late. */
  private static final Duration LATEST_RESEND =
      Duration.ofMillis(CompletenessSettings.DEFAULT.resend()).plusDays(1);

  @Test
  void bundle_is_sent_again_while_its_first_message_is_kept() {
    assertThat(LATEST_RESEND).isLessThanOrEqualTo(SqsAdmin.RETENTION);
  }

  @Test
  void claim_outlives_the_message_that_is_sent_again() {
    assertThat(CLAIM).isGreaterThanOrEqualTo(LATEST_RESEND.plus(SqsAdmin.RETENTION).plusDays(1));
  }

  @Test
  void run_outlives_the_results_that_wait_and_is_forgotten_before_its_claims() {
    assertThat(RUN).isGreaterThan(SqsAdmin.RETENTION);
    // when a client leaves, its last look at a claim may be a day old
    assertThat(CLAIM).isGreaterThanOrEqualTo(RUN.plusDays(1));
  }
}
