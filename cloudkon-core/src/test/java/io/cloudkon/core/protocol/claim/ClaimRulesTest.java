package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Acquisition.Mode;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conditions of every write, one by one. */
class ClaimRulesTest {
  private static final long NOW = 1_000_000;

  private static Claim claim(ClaimState state, long leaseEnd) {
    return new Claim(
        "run/e/0",
        state,
        "w",
        "n",
        2,
        5,
        1,
        leaseEnd,
        Positions.of(0, 1),
        Positions.of(0),
        new TreeMap<>(),
        9);
  }

  private static Acquisition by(Mode mode, int attempt) {
    return new Acquisition(
        "run/e/0", mode, "me", "m", NOW + 15_000, NOW - 2_000, attempt, Positions.none(), 77);
  }

  @ParameterizedTest
  @CsvSource({
    "TAKE_OVER, LEASED, -2001, true",
    "TAKE_OVER, LEASED, -2000, false",
    "TAKE_OVER, LEASED, 5000, false",
    "TAKE_OVER, RELEASED, 5000, true",
    "TAKE_OVER, DONE, -99999, false",
    "TAKE_OVER, LOSING, -99999, false",
    "FRESH, LEASED, -99999, false",
    "FRESH, RELEASED, 5000, true",
    "FRESH, DONE, -99999, false",
    "FRESH, LOSING, -99999, false",
    "LOSING, LEASED, -2001, true",
    "LOSING, LEASED, -2000, false",
    "LOSING, LOSING, -2001, true",
    "LOSING, LOSING, 5000, false",
    "LOSING, RELEASED, -99999, false",
    "LOSING, DONE, -99999, false",
  })
  void claim_is_acquired_only_where_its_mode_allows(
      Mode mode, ClaimState state, long endsIn, boolean allowed) {
    assertThat(ClaimRules.acquire(claim(state, NOW + endsIn), by(mode, 2)).isPresent())
        .isEqualTo(allowed);
  }

  @Test
  void losing_needs_the_attempt_that_was_seen() {
    assertThat(ClaimRules.acquire(claim(ClaimState.LEASED, 0), by(Mode.LOSING, 1))).isEmpty();
    assertThat(ClaimRules.acquire(null, by(Mode.LOSING, 0))).isEmpty();
  }

  @Test
  void acquisition_keeps_bits_and_releases_raises_attempt_and_begins_seq_anew() {
    Claim taken =
        ClaimRules.acquire(claim(ClaimState.LEASED, 0), by(Mode.TAKE_OVER, 0)).orElseThrow();
    assertThat(taken)
        .isEqualTo(
            new Claim(
                "run/e/0",
                ClaimState.LEASED,
                "me",
                "m",
                3,
                0,
                1,
                NOW + 15_000,
                Positions.of(0, 1),
                Positions.of(0),
                new TreeMap<>(),
                77));
  }

  @Test
  void losing_owner_can_not_ask_for_starts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Acquisition("b", Mode.LOSING, "w", "n", 1, 1, 1, Positions.of(0), 1));
  }

  @ParameterizedTest
  @CsvSource({
    "LEASED, 2, n, 6, true",
    "LEASED, 2, n, 9, true",
    "LEASED, 2, n, 5, false",
    "LEASED, 2, n, 4, false",
    "LEASED, 1, n, 6, false",
    "LEASED, 3, n, 6, false",
    "LEASED, 2, x, 6, false",
    "LOSING, 2, n, 6, false",
  })
  void write_needs_state_attempt_nonce_and_a_higher_seq(
      ClaimState expected, int attempt, String nonce, long seq, boolean allowed) {
    ClaimWrite write =
        new ClaimWrite(
            "run/e/0",
            attempt,
            nonce,
            seq,
            expected,
            ClaimState.DONE,
            NOW,
            1,
            Positions.of(0, 1),
            Positions.of(0, 1),
            new TreeMap<>(),
            80);
    assertThat(ClaimRules.write(claim(ClaimState.LEASED, NOW), write).isPresent())
        .isEqualTo(allowed);
    assertThat(ClaimRules.write(null, write)).isEmpty();
    assertThat(ClaimRules.write(claim(ClaimState.DONE, NOW), write)).isEmpty();
    assertThat(ClaimRules.write(claim(ClaimState.RELEASED, NOW), write)).isEmpty();
  }
}
