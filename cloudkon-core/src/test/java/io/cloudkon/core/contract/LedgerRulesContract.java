package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Ledgers.sorted;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.Ledger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every {@link CapacityLedger} answers as {@link io.cloudkon.core.protocol.capacity.LedgerRules}
 * do, in random histories.
 */
public abstract class LedgerRulesContract extends PortContract {
  private static final int LOOK_EVERY = 25;

  /** How many random steps a history has. */
  protected int randomSteps() {
    return 600;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void random_history_is_answered_as_the_rules_do(long seed) {
    CapacityLedger ledger = cluster().hpc().ledger();
    Ledger model = new Ledger();
    RandomLedger random = new RandomLedger(seed);
    int accepted = 0;
    for (int step = 0; step < randomSteps(); step++) {
      RandomLedger.Call call = random.next(model);
      boolean expected = call.on(model);

      boolean answer = call.on(ledger);

      assertThat(answer).as("seed %d, step %d: %s", seed, step, call).isEqualTo(expected);
      if (step % LOOK_EVERY == 0) {
        assertThat(sorted(ledger.view()))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(sorted(model.view()));
        assertThat(ledger.counter()).isEqualTo(model.counter());
      }
      accepted += answer ? 1 : 0;
    }
    assertThat(sorted(ledger.view())).isEqualTo(sorted(model.view()));
    assertThat(accepted).isBetween(randomSteps() / 4, randomSteps() * 3 / 4);
  }
}
