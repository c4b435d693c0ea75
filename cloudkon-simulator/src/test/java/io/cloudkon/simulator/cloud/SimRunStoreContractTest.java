package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RunStoreContract;

final class SimRunStoreContractTest extends RunStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new SimCluster();
  }
}
