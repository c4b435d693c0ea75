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
 * @param settings its machine's settings
 * @param runner what its tasks may do
 * @param drainTimeout how long running tasks may go on when it is to leave; default 90 s
 * @param lifetime when it ends itself
 * @param monitorEvery how often it writes its entry; null means never
 * @param cacheBytes how much of what runs shipped is kept, in unpacked bytes; default 10 GiB
 * @param replyTimeout how long the response queue of an open run may be gone before its results are
 *     stored instead; default 60 s
 * @param gangs how it takes part in HPC jobs; null means that it does not
 * @param origin who launched it, and on what it runs
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
   * With the defaults of what is shipped and stored, started by hand, and without HPC jobs.
   *
   * @param exitWhenIdle how long it may have nothing to do before it leaves; null means for ever
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

  /** The same, and it takes part in HPC jobs. */
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

  /** The same, and it may be sick for so long. */
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

  /** What it takes on. */
  public WorkerTakes takes() {
    return new WorkerTakes(AllowedWork.kinds(runner.allowed()), settings.tasks(), gangs != null);
  }
}
