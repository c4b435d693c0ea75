package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClaimStoreContract;
import io.cloudkon.core.contract.ClusterFixture;

final class AwsClaimStoreIT extends ClaimStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
