package io.cloudkon.core.memory;

import io.cloudkon.core.contract.ClusterFixture;
import io.cloudkon.core.contract.WaitingJobsContract;

final class MemoryWaitingJobsTest extends WaitingJobsContract {
  @Override
  protected ClusterFixture newFixture() {
    return new MemoryFixture();
  }
}
