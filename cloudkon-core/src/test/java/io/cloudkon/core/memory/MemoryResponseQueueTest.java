package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.ResponseQueueContract;

final class MemoryResponseQueueTest extends ResponseQueueContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
