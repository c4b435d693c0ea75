package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.LedgerCrowdContract;

final class MemoryLedgerCrowdTest extends LedgerCrowdContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
