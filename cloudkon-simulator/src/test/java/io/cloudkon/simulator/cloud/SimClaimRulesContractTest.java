package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClaimRulesContract;
import io.cloudkon.core.contract.ClusterFixture;

final class SimClaimRulesContractTest extends ClaimRulesContract {
  @Override
  protected ClusterFixture newFixture() {
    return new SimCluster();
  }
}
