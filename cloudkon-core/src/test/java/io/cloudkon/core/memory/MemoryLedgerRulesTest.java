package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.LedgerRulesContract;

final class MemoryLedgerRulesTest extends LedgerRulesContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
