package io.cloudkon.core.memory;

import io.cloudkon.core.contract.CapacityLedgerContract;
import io.cloudkon.core.contract.ClusterFixture;

final class MemoryCapacityLedgerTest extends CapacityLedgerContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
