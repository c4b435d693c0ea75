package io.cloudkon.core.contract;

import io.cloudkon.core.port.Cluster;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** What all contract suites share: a fixture for each test. */
@Tag("contract")
public abstract class PortContract {
  private @Nullable ClusterFixture current;

  /** A fresh fixture; closed after the test. */
  protected abstract ClusterFixture newFixture();

  @BeforeEach
  void openFixture() {
    current = newFixture();
  }

  @AfterEach
  void closeFixture() {
    if (current != null) { // there is none where the suite cannot run
      current.close();
    }
  }

  /** The fixture of the running test. */
  protected final ClusterFixture fixture() {
    return Objects.requireNonNull(current);
  }

  /** The cluster of the running test. */
  protected final Cluster cluster() {
    return fixture().cluster();
  }
}
