package io.cloudkon.core.aws;

import io.cloudkon.core.contract.CapacityLedgerContract;
import io.cloudkon.core.contract.ClusterFixture;

final class AwsCapacityLedgerIT extends CapacityLedgerContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
