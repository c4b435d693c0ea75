package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClaimRulesContract;
import io.cloudkon.core.contract.ClusterFixture;

final class MemoryClaimRulesTest extends ClaimRulesContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
