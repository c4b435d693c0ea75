package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClaimRulesContract;
import io.cloudkon.core.contract.ClusterFixture;

final class AwsClaimRulesIT extends ClaimRulesContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
