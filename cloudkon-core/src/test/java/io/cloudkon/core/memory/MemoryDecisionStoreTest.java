package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.DecisionStoreContract;

final class MemoryDecisionStoreTest extends DecisionStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
