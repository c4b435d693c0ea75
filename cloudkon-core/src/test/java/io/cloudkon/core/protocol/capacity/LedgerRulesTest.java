package io.cloudkon.core.protocol.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.contract.RandomLedger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds after every call, whatever the calls; the contract suites have each rule alone. */
final class LedgerRulesTest {
  private static final int STEPS = 20_000;

  private static void check(LedgerView view) {
    assertThat(view.counter().free())
        .isEqualTo(view.shares().stream().mapToInt(Share::freed).sum());
    @Nullable Reservation reservation = view.reservation();
    int promised = reservation == null || reservation.admitted() ? 0 : reservation.ranks();
    assertThat(view.counter().reserved()).isEqualTo(promised);
    if (reservation != null) {
      assertThat(reservation.heldInAll()).isBetween(0, reservation.ranks());
    }
  }

  private static int gangSlots(LedgerView view) {
    return view.shares().stream()
        .filter(share -> share.kind() == Share.Kind.GANG)
        .mapToInt(Share::slots)
        .sum();
  }

  /** A change that took slots found them: those of others, and those that are promised, stay. */
  private static void checkTaken(LedgerChange change, LedgerView before, LedgerView after) {
    if (gangSlots(after) <= gangSlots(before)) {
      return;
    }
    switch (change) {
      case LedgerChange.Admit admit ->
          assertThat(after.counter().free()).isGreaterThanOrEqualTo(before.counter().reserved());
      case LedgerChange.AdmitReserved admit -> assertThat(after.counter().free()).isNotNegative();
      case LedgerChange.Join j -> throw new AssertionError(j);
      case LedgerChange.Remove r -> throw new AssertionError(r);
      case LedgerChange.Reserve r -> throw new AssertionError(r);
      case LedgerChange.Unreserve u -> throw new AssertionError(u);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void sums_are_those_of_the_shares_after_every_random_call(long seed) {
    Ledger ledger = new Ledger();
    RandomLedger random = new RandomLedger(seed);
    int accepted = 0;
    int negative = 0;
    for (int step = 0; step < STEPS; step++) {
      LedgerView before = ledger.view();
      RandomLedger.Call call = random.next(ledger);

      boolean answer = call.on(ledger);

      LedgerView after = ledger.view();
      try {
        check(after);
        if (!answer) {
          assertThat(after).isEqualTo(before);
        }
        if (call instanceof RandomLedger.Change(LedgerChange change)) {
          checkTaken(change, before, after);
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed %d, step %d: %s".formatted(seed, step, call), e);
      }
      accepted += answer ? 1 : 0;
      negative += after.counter().free() < 0 ? 1 : 0;
    }
    assertThat(accepted).isGreaterThan(STEPS / 4);
    assertThat(negative).as("workers that leave under gangs were there").isPositive();
  }
}
