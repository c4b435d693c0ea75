package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RequestQueueContract;

final class MemoryRequestQueueTest extends RequestQueueContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
