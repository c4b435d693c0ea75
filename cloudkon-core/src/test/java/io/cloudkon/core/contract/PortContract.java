package io.cloudkon.core.contract;

import io.cloudkon.core.port.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all contract suites share: a fixture for each test. */
public abstract class PortContract {
  private ClusterFixture current;

  /** A fresh fixture; closed after the test. */
  protected abstract ClusterFixture newFixture();

  @BeforeEach
  void openFixture() {
    current = newFixture();
  }

  @AfterEach
  void closeFixture() {
    current.close();
  }

  /** The fixture of the running test. */
  protected final ClusterFixture fixture() {
    return current;
  }

  /** The cluster of the running test. */
  protected final Cluster cluster() {
    return current.cluster();
  }
}
