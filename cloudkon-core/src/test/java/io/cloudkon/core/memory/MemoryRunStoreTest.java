package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RunStoreContract;

final class MemoryRunStoreTest extends RunStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
