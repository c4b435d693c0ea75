package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.WorkerRegistryContract;

final class MemoryWorkerRegistryTest extends WorkerRegistryContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
