package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.RunStoreContract;

final class AwsRunStoreIT extends RunStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
