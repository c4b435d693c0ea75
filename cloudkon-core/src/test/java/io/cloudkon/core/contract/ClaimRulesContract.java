package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Claims.LEASE_END;
import static io.cloudkon.core.contract.Claims.next;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every {@link ClaimStore} answers as {@link ClaimRules}: each row of the rules, and random
 * histories.
 */
public abstract class ClaimRulesContract extends PortContract {
  private static final String OWNER = "n1";
  private static final int ATTEMPT = 2;
  private static final long SEQ = 5;

  private ClaimStore store() {
    return cluster().claims();
  }

  /** How many random steps a history has. */
  protected int randomSteps() {
    return 2000;
  }

  /** A claim in this state, at attempt 2 of OWNER and seq 5, its lease ending at LEASE_END. */
  private Claim arrange(ClaimState state) {
    String id = Claims.id();
    Claim claim = accepted(store().acquire(Claims.fresh(id, "n0", 1)));
    claim =
        state == ClaimState.LOSING
            ? accepted(store().acquire(Claims.losing(id, OWNER, LEASE_END + 1, 1)))
            : accepted(store().acquire(Claims.takeOver(id, OWNER, LEASE_END + 1)));
    ClaimWrite write = Claims.to(Claims.seq(next(claim), SEQ), state);
    Claim arranged =
        accepted(store().write(Claims.positions(write, Positions.of(1, 2), Positions.of(2))));
    assertThat(arranged.state()).isEqualTo(state);
    assertThat(arranged.attempt()).isEqualTo(ATTEMPT);
    return arranged;
  }

  private static Claim accepted(ClaimAnswer answer) {
    assertThat(answer).isInstanceOf(ClaimAnswer.Accepted.class);
    return ((ClaimAnswer.Accepted) answer).claim();
  }

  private static ClaimAnswer answer(@Nullable Claim current, Optional<Claim> changed) {
    return changed
        .<ClaimAnswer>map(ClaimAnswer.Accepted::new)
        .orElseGet(() -> new ClaimAnswer.Refused(current));
  }

  @ParameterizedTest
  @EnumSource
  void acquire_in_every_mode_and_at_every_boundary_is_as_the_rules_say(ClaimState state) {
    Claim current = arrange(state);
    for (Acquisition.Mode mode : Acquisition.Mode.values()) {
      for (long expiredBefore : new long[] {LEASE_END - 1, LEASE_END, LEASE_END + 1}) {
        for (int attempt : new int[] {ATTEMPT - 1, ATTEMPT, ATTEMPT + 1}) {
          Positions started = mode == Acquisition.Mode.LOSING ? Positions.none() : Positions.of(3);
          Acquisition by =
              Claims.acquire(current.id(), mode, "n2", expiredBefore, attempt, started);
          boolean expired = expiredBefore > LEASE_END;
          boolean may =
              switch (mode) {
                case FRESH -> state == ClaimState.RELEASED;
                case TAKE_OVER ->
                    state == ClaimState.RELEASED || (state == ClaimState.LEASED && expired);
                case LOSING ->
                    (state == ClaimState.LEASED || state == ClaimState.LOSING)
                        && expired
                        && attempt == ATTEMPT;
              };

          ClaimAnswer answer = store().acquire(by);

          assertThat(answer)
              .as("%s", by)
              .isEqualTo(answer(current, ClaimRules.acquire(current, by)));
          assertThat(answer instanceof ClaimAnswer.Accepted).as("%s", by).isEqualTo(may);
          if (may) {
            current = arrange(state);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_by_the_nonce_that_has_it_or_had_it_is_refused(ClaimState state) {
    Claim current = arrange(state);
    for (Acquisition.Mode mode : Acquisition.Mode.values()) {
      Acquisition lateCopy =
          Claims.acquire(
              current.id(), mode, current.nonce(), LEASE_END + 1, ATTEMPT, Positions.none());

      assertThat(store().acquire(lateCopy)).isEqualTo(new ClaimAnswer.Refused(current));
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_with_every_mismatch_is_as_the_rules_say(ClaimState state) {
    Claim current = arrange(state);
    for (ClaimState expected : new ClaimState[] {ClaimState.LEASED, ClaimState.LOSING}) {
      for (int attempt : new int[] {ATTEMPT - 1, ATTEMPT, ATTEMPT + 1}) {
        for (String nonce : new String[] {OWNER, "n0"}) {
          for (long seq : new long[] {1, SEQ - 1, SEQ, SEQ + 1, SEQ + 1000}) {
            ClaimWrite write =
                Claims.to(
                    Claims.by(Claims.seq(next(current), seq), expected, attempt, nonce),
                    ClaimState.DONE);
            boolean may =
                state == expected && attempt == ATTEMPT && nonce.equals(OWNER) && seq > SEQ;

            ClaimAnswer answer = store().write(write);

            assertThat(answer)
                .as("%s", write)
                .isEqualTo(answer(current, ClaimRules.write(current, write)));
            assertThat(answer instanceof ClaimAnswer.Accepted).as("%s", write).isEqualTo(may);
            if (may) {
              current = arrange(state);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void attempt_taken_back_in_every_state_is_as_the_rules_say(ClaimState state) {
    Claim current = arrange(state);
    for (int attempt : new int[] {ATTEMPT - 1, ATTEMPT, ATTEMPT - 1, ATTEMPT + 1}) {
      boolean may = state != ClaimState.DONE && attempt <= ATTEMPT;

      ClaimAnswer answer = store().survive(current.id(), attempt);

      assertThat(answer).isEqualTo(answer(current, ClaimRules.survive(current, attempt)));
      assertThat(answer instanceof ClaimAnswer.Accepted).as("attempt %d", attempt).isEqualTo(may);
      current = store().read(List.of(current.id())).get(current.id());
    }
    assertThat(current.countedAttempts()).isEqualTo(state == ClaimState.DONE ? 2 : 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void random_history_is_answered_as_the_rules_do(long seed) {
    RandomHistory history = new RandomHistory(seed);
    for (int step = 0; step < (randomSteps() + 2) / 3; step++) {
      String id = history.id();
      Claim current = history.claim(id);
      ClaimAnswer actual;
      Optional<Claim> changed;
      Object what;
      if (history.acquires()) {
        Acquisition by = history.acquisition(id);
        what = by;
        changed = ClaimRules.acquire(current, by);
        actual = store().acquire(by);
      } else if (history.survives()) {
        int attempt = history.attempt();
        what = "attempt %d taken back".formatted(attempt);
        changed = ClaimRules.survive(current, attempt);
        actual = store().survive(id, attempt);
      } else {
        ClaimWrite by = history.write(id);
        what = by;
        changed = ClaimRules.write(current, by);
        actual = store().write(by);
      }
      assertThat(actual)
          .as("seed %d, step %d: %s", seed, step, what)
          .isEqualTo(answer(current, changed));
      changed.ifPresent(history::remember);
    }
    assertThat(store().read(history.ids())).isEqualTo(history.claims());
    assertThat(history.accepted()).isGreaterThan(randomSteps() / 20);
  }

  @Test
  void answers_of_reads_are_not_changed_by_later_writes() {
    Claim claim = arrange(ClaimState.LEASED);
    Claim before = store().read(List.of(claim.id())).get(claim.id());

    Claim after = accepted(store().write(Claims.to(next(claim), ClaimState.DONE)));

    assertThat(before).isEqualTo(claim).isNotEqualTo(after);
  }
}
