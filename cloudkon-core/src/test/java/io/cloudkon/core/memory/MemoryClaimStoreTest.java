package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClaimStoreContract;
import io.cloudkon.core.contract.ClusterFixture;

final class MemoryClaimStoreTest extends ClaimStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
