package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClaimStoreContract;
import io.cloudkon.core.contract.ClusterFixture;

final class SimClaimStoreContractTest extends ClaimStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return new SimCluster();
  }
}
