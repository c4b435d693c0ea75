package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.ResponseQueueContract;

final class SimResponseQueueContractTest extends ResponseQueueContract {
  @Override
  protected ClusterFixture newFixture() {
    return new SimCluster();
  }
}
