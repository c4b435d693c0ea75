package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.DecisionStoreContract;

final class AwsDecisionStoreIT extends DecisionStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
