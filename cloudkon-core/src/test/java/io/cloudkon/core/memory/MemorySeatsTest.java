package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.SeatsContract;

final class MemorySeatsTest extends SeatsContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
