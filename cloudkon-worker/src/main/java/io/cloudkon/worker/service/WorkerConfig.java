package io.cloudkon.worker.service;

import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a worker. Immutable.
 *
 * @param settings the settings of its state machine
 * @param runner how it runs tasks, and which it allows
 * @param drainTimeout how long running tasks may continue when it drains; default 90 s
 * @param lifetime the rules by which it ends itself
 * @param monitorEvery how often it writes its entry; null means never
 * @param cacheBytes the size of the cache of shipped files, in unpacked bytes; default 10 GiB
 * @param replyTimeout how long the response queue of an open run may be gone before its results are
 *     stored instead; default 60 s
 * @param gangs its configuration for HPC jobs; null means that it takes no part in them
 * @param origin its launcher, and the instance on which it runs
 * @param sickTimeout how long it may be unable to start tasks before it ends; default 5 min
 */
public record WorkerConfig(
    WorkerSettings settings,
    RunnerConfig runner,
    Duration drainTimeout,
    LifetimeConfig lifetime,
    @Nullable Duration monitorEvery,
    long cacheBytes,
    Duration replyTimeout,
    @Nullable GangConfig gangs,
    WorkerOrigin origin,
    Duration sickTimeout) {
  /** 90 s. */
  public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(90);

  /** 5 s. */
  public static final Duration DEFAULT_MONITOR_EVERY = Duration.ofSeconds(5);

  /** 10 GiB. */
  public static final long DEFAULT_CACHE_BYTES = 10L << 30;

  /** 5 min. */
  public static final Duration DEFAULT_SICK_TIMEOUT =
      Duration.ofMillis(HealthSettings.DEFAULT.timeout());

  /** 60 s. */
  public static final Duration DEFAULT_REPLY_TIMEOUT = Duration.ofSeconds(60);

  /**
   * A worker that was started by hand, without HPC jobs, with the defaults for shipped files and
   * stored results.
   *
   * @param exitWhenIdle how long it may be idle before it ends; null means for ever
   */
  public WorkerConfig(
      WorkerSettings settings,
      RunnerConfig runner,
      Duration drainTimeout,
      @Nullable Duration exitWhenIdle,
      @Nullable Duration monitorEvery) {
    this(
        settings,
        runner,
        drainTimeout,
        LifetimeConfig.exitWhenIdle(exitWhenIdle),
        monitorEvery,
        DEFAULT_CACHE_BYTES,
        DEFAULT_REPLY_TIMEOUT,
        null,
        WorkerOrigin.BY_HAND,
        DEFAULT_SICK_TIMEOUT);
  }

  /** The same configuration with a part in HPC jobs. */
  public WorkerConfig with(GangConfig how) {
    return new WorkerConfig(
        settings,
        runner,
        drainTimeout,
        lifetime,
        monitorEvery,
        cacheBytes,
        replyTimeout,
        how,
        origin,
        sickTimeout);
  }

  /** The same configuration with this limit on how long the worker may be sick. */
  public WorkerConfig withSickTimeout(Duration longest) {
    return new WorkerConfig(
        settings,
        runner,
        drainTimeout,
        lifetime,
        monitorEvery,
        cacheBytes,
        replyTimeout,
        gangs,
        origin,
        longest);
  }

  /** The kinds of work that it accepts. */
  public WorkerTakes takes() {
    return new WorkerTakes(AllowedWork.kinds(runner.allowed()), settings.tasks(), gangs != null);
  }
}
