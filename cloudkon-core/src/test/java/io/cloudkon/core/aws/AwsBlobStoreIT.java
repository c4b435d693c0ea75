package io.cloudkon.core.aws;

import io.cloudkon.core.contract.BlobStoreContract;
import io.cloudkon.core.contract.ClusterFixture;

final class AwsBlobStoreIT extends BlobStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }
}
