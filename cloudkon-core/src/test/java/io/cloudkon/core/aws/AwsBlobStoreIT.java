package io.cloudkon.core.aws;

import io.cloudkon.core.contract.BlobStoreContract;
import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.testing.Target;

final class AwsBlobStoreIT extends BlobStoreContract {
  @Override
  protected ClusterFixture newFixture() {
    return AwsFixture.on(getClass());
  }

  /** S3Mock leaves an object that is copied onto itself as old as it was. */
  @Override
  protected boolean countsAgeFromCopies() {
    return Target.chosen() != Target.EMULATOR;
  }
}
