package io.cloudkon.simulator.cloud;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RequestQueueContract;

final class SimRequestQueueContractTest extends RequestQueueContract {
  @Override
  protected ClusterFixture newFixture() {
    return new SimCluster();
  }

  /** The makers of batches, which count bytes, are the real ones; here only their number counts. */
  @Override
  protected boolean refusesLargeBatches() {
    return false;
  }
}
