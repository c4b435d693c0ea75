package io.cloudkon.core.memory;

import io.cloudkon.core.contract.BlobStoreContract;
import io.cloudkon.core.contract.ClusterFixture;

final class MemoryBlobStoreTest extends BlobStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
