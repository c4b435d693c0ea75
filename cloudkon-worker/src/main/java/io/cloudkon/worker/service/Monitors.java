package io.cloudkon.worker.service;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.monitor.Monitor;
import io.cloudkon.worker.monitor.WorkerStats;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts a worker's monitor according to its configuration. */
final class Monitors {
  private Monitors() {}

  /** Starts the monitor; null if the worker writes no entry. */
  static @Nullable Monitor start(
      WorkerConfig config,
      Cluster cluster,
      WorkerStats stats,
      TimeSource time,
      Supplier<WorkerTakes> takes,
      BooleanSupplier draining) {
    stats.shippedFiles(config.runner().shippedFiles().label());
    Duration every = config.monitorEvery();
    return every == null
        ? null
        : new Monitor(
            cluster,
            stats,
            time,
            config.settings().id(),
            config.origin(),
            takes,
            config.settings().slots(),
            every.toMillis(),
            draining);
  }
}
