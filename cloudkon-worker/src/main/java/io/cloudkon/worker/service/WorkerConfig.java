package io.cloudkon.worker.service;

import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.worker.execute.RunnerConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a worker is to work. Immutable.
 *
 * @param settings its machine's settings
 * @param runner what its tasks may do
 * @param drainTimeout how long running tasks may go on when it is to leave; default 90 s
 * @param exitWhenIdle how long it may have nothing to do before it leaves; null means for ever
 * @param monitorEvery how often it writes its entry; null means never
 */
public record WorkerConfig(
    WorkerSettings settings,
    RunnerConfig runner,
    Duration drainTimeout,
    @Nullable Duration exitWhenIdle,
    @Nullable Duration monitorEvery) {
  /** 90 s. */
  public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(90);

  /** 5 s. */
  public static final Duration DEFAULT_MONITOR_EVERY = Duration.ofSeconds(5);
}
