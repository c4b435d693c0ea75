package io.cloudkon.functional;

import io.cloudkon.faults.TestCluster;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests on {@link ThreeWorkers} that all tests of a class share: they start before the first one,
 * each test must leave nothing, and after the last one they leave.
 */
abstract class OnThreeWorkers {
  @TempDir static Path shared;
  static TestCluster cluster;
  static ThreeWorkers workers;

  @TempDir Path folder;

  @BeforeEach
  void startOnce() {
    if (workers == null) {
      cluster = new TestCluster();
      workers = new ThreeWorkers(cluster, shared, new Recipe(cluster, shared));
    }
  }

  @AfterEach
  void nothing_is_left() {
    workers.assertNothingLeft();
  }

  @AfterAll
  static void leave() throws InterruptedException {
    if (workers == null) {
      return;
    }
    try (TestCluster _ = cluster;
        ThreeWorkers leaving = workers) {
      workers = null;
      leaving.leave();
    }
  }
}
