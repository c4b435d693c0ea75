package io.cloudkon.client.local;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster of {@code -s LOCAL}, in this process and with one worker. It uses the same pipeline
 * as any other cluster, in memory. A worker that ends by itself, for example because it holds code
 * that cannot be stopped, is replaced, as no other worker would run the rest. If a worker can start
 * no task for 30 s, or none can be started, or two in a row fail before any task, the runs are
 * cancelled. Thread safe.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);
  private static final Duration DRAIN = Duration.ofSeconds(1);

  /**
   * The time without a started task after which the worker is sick. The user waits, and there is no
   * other worker.
   */
  private static final Duration SICK = Duration.ofSeconds(30);

  /**
   * How long claims of finished bundles are kept. In this process no result is lost on its way, so
   * the client, which reads the claims of silent bundles, has closed them long before.
   */
  private static final Duration FINISHED = Duration.ofMinutes(15);

  private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);

  private final MemoryCloud cloud;
  private final Cluster cluster;
  private final HandlerRegistry handlers;
  private final TimeSource time;
  private final Supplier<WorkerService> workers;
  private final Thread follower;
  private WorkerService worker;
  private boolean failedBefore;
  private boolean closed;

  private LocalCluster(
      MemoryCloud cloud,
      HandlerRegistry handlers,
      TimeSource time,
      Supplier<WorkerService> workers) {
    this.cloud = cloud;
    this.cluster = cloud.cluster(Names.LOCAL);
    this.handlers = handlers;
    this.time = time;
    this.workers = workers;
    this.worker = workers.get();
    this.follower = Thread.ofVirtual().name("cloudkon-local").start(this::follow);
  }

  /**
   * Starts the worker. Its commands start in this process's directory.
   *
   * @param slots the number of tasks at a time
   * @param handlerJars the folder of jars with handlers
   */
  public static LocalCluster start(int slots, Optional<Path> handlerJars, TimeSource time) {
    MemoryCloud cloud = new MemoryCloud(time);
    Cluster cluster = cloud.setup(Names.LOCAL);
    HandlerRegistry handlers =
        handlerJars.map(HandlerRegistry::load).orElseGet(HandlerRegistry::builtIn);
    WorkerSettings settings =
        new WorkerSettings(
                "local",
                slots,
                LeaseSettings.DEFAULT,
                ReplySettings.DEFAULT,
                IntakeSettings.DEFAULT)
            .asOnly();
    RunnerConfig runner =
        new RunnerConfig(
            EnumSet.allOf(AllowedWork.class),
            Limits.CAPTURE_BYTES,
            Path.of("").toAbsolutePath(),
            Duration.ofMillis(LeaseSettings.DEFAULT.lease() - LeaseSettings.DEFAULT.margin()));
    WorkerConfig config =
        new WorkerConfig(
                settings,
                runner,
                WorkerConfig.DEFAULT_DRAIN_TIMEOUT,
                null,
                WorkerConfig.DEFAULT_MONITOR_EVERY)
            .with(new GangConfig(GangSettings.of(settings), "127.0.0.1", 0, false))
            .withSickTimeout(SICK);
    return new LocalCluster(
        cloud, handlers, time, () -> new WorkerService(config, cluster, handlers, time, List::of));
  }

  private void follow() {
    try {
      do {
        while (!current().awaitEnd(BETWEEN_SWEEPS)) {
          cloud.forgetFinished(FINISHED);
        }
      } while (replace());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized WorkerService current() {
    return worker;
  }

  /**
   * Starts a new worker; returns false if the cluster is closed, no worker can be started, or the
   * last one was sick, or the last two failed before any task: another one would, too.
   */
  private synchronized boolean replace() {
    if (closed) {
      return false;
    }
    if (worker.sick()) {
      LOG.error(
          "the only worker of this run cannot start any task: the remaining tasks are cancelled");
      cancelAll();
      return false;
    }
    boolean failed = worker.failed() && worker.stats().tasks() == 0;
    if (failed && failedBefore) {
      LOG.error(
          "two workers ended by an internal error before any task: the remaining tasks are"
              + " cancelled");
      cancelAll();
      return false;
    }
    failedBefore = failed;
    LOG.warn("the local worker has ended; another one takes over");
    try {
      worker = workers.get();
      return true;
    } catch (RuntimeException | Error e) {
      // for example a process without memory for another thread
      LOG.error("no other worker could be started: the remaining tasks are cancelled", e);
      cancelAll();
      return false;
    }
  }

  private void cancelAll() {
    for (RunEntry run : cluster.runs().list()) {
      var unused = cluster.runs().cancel(run.run(), time.serviceMillis());
    }
  }

  public Cluster cluster() {
    return cluster;
  }

  /**
   * Ends the worker; tasks that still run after a second are killed. Returns when the results of
   * those that have finished are in the response queue, or after another second. Any thread may
   * call it, any number of times.
   */
  public void endWork() {
    try {
      WorkerService last = drained();
      boolean unused = last.awaitEnd(DRAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private WorkerService drained() throws InterruptedException {
    synchronized (this) {
      closed = true;
    }
    WorkerService last = current();
    last.drain();
    if (!last.awaitEnd(DRAIN)) {
      last.kill();
    }
    return last;
  }

  /** Ends the worker; tasks that still run after a second are killed. */
  @Override
  public void close() throws InterruptedException, IOException {
    drained().close();
    follower.join();
    handlers.close();
  }
}
