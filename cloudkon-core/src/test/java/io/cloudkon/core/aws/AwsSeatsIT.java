package io.cloudkon.core.aws;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.SeatsContract;

final class AwsSeatsIT extends SeatsContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
