package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.WorkerRegistryContract;

final class AwsWorkerRegistryIT extends WorkerRegistryContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
