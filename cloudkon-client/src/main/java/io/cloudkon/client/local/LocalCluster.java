package io.cloudkon.client.local;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * {@code -s LOCAL}: a cluster in this process, with one worker. The same pipeline as everywhere,
 * over memory.
 */
public final class LocalCluster implements AutoCloseable {
  private static final String NAME = "LOCAL";
  private static final Duration DRAIN = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final HandlerRegistry handlers;
  private final WorkerService worker;

  private LocalCluster(Cluster cluster, HandlerRegistry handlers, WorkerService worker) {
    this.cluster = cluster;
    this.handlers = handlers;
    this.worker = worker;
  }

  /**
   * Starts the worker. Its commands start in this process's directory.
   *
   * @param slots tasks at a time
   * @param handlerJars folder of jars with handlers
   */
  public static LocalCluster start(int slots, Optional<Path> handlerJars, TimeSource time) {
    Cluster cluster = new MemoryCloud(time).setup(NAME);
    HandlerRegistry handlers =
        handlerJars.map(HandlerRegistry::load).orElseGet(HandlerRegistry::builtIn);
    WorkerSettings settings =
        new WorkerSettings(
            "local", slots, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
    RunnerConfig runner =
        new RunnerConfig(
            EnumSet.allOf(Work.Kind.class),
            Limits.CAPTURE_BYTES,
            Path.of("").toAbsolutePath(),
            Duration.ofMillis(LeaseSettings.DEFAULT.lease() - LeaseSettings.DEFAULT.margin()));
    WorkerConfig config = new WorkerConfig(settings, runner, DRAIN, null, null);
    return new LocalCluster(
        cluster, handlers, new WorkerService(config, cluster, handlers, time, List::of));
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Ends the worker; what it runs is killed after a second. */
  @Override
  public void close() throws InterruptedException, IOException {
    worker.close();
    handlers.close();
  }
}
