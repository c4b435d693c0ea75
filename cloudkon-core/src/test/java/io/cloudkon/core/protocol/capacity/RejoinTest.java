package io.cloudkon.core.protocol.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fleet that was swept in an outage comes back to one item of the ledger. */
class RejoinTest {
  private static final int WORKERS = 1_000;
  private static final long TICK = 100;
  private static final long LEASE = LeaseSettings.DEFAULT.lease();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thousand_workers_that_were_swept_join_within_a_lease_and_not_together(boolean numbered) {
    IntFunction<String> id =
        i ->
            numbered
                ? "w" + i
                : UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}).toString();
    List<CapacityMachine> fleet = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      String worker = id.apply(i);
      CapacityMachine machine =
          new CapacityMachine(
              new CapacitySettings(worker, 4, LeaseSettings.DEFAULT, 2_000), () -> "t-" + worker);
      // The first join waits for nothing.
      assertThat(joins(machine.tick(at(0)))).isTrue();
      var unused = machine.changed("t-" + worker, true, at(0));
      unused = machine.renewed("worker/" + worker, false);
      assertThat(machine.phase()).isEqualTo(CapacityPhase.OUT);
      fleet.add(machine);
    }

    int all = 0;
    int most = 0;
    for (long millis = TICK; millis <= TICK + LEASE; millis += TICK) {
      int together = 0;
      for (CapacityMachine machine : fleet) {
        together += joins(machine.tick(at(millis))) ? 1 : 0;
      }
      all += together;
      most = Math.max(most, together);
    }

    assertThat(all).isEqualTo(WORKERS);
    assertThat(most).isLessThanOrEqualTo(25);
  }

  private static boolean joins(List<CapacityEffect> effects) {
    return effects.stream()
        .anyMatch(effect ->
            effect instanceof CapacityEffect.Change change
                && change.change() instanceof LedgerChange.Join);
  }

  private static Moment at(long millis) {
    return new Moment(millis, millis);
  }
}
