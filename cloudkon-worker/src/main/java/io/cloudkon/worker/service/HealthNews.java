package io.cloudkon.worker.service;

import io.cloudkon.core.protocol.health.HealthEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.Inbox;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports a worker's sickness and recovery to its state machine, its log and its statistics. */
final class HealthNews implements Consumer<HealthEffect> {
  private static final Logger LOG = LoggerFactory.getLogger(HealthNews.class);

  private final Inbox worker;
  private final WorkerStats stats;
  private final Duration timeout;
  private final Runnable end;

  /**
   * Reports on one worker.
   *
   * @param timeout how long it may be sick
   * @param end ends the worker
   */
  HealthNews(Inbox worker, WorkerStats stats, Duration timeout, Runnable end) {
    this.worker = worker;
    this.stats = stats;
    this.timeout = timeout;
    this.end = end;
  }

  @Override
  public void accept(HealthEffect effect) {
    switch (effect) {
      case HealthEffect.BecomeSick sick -> {
        stats.sick(sick.sickness());
        LOG.warn(
            "this worker is sick: {}; it takes no work, and ends if it has not recovered within {}"
                + " s",
            sick.sickness().reason(),
            timeout.toSeconds());
        worker.post(new WorkerEvent.FellSick());
      }
      case HealthEffect.StaySick sick -> stats.sick(sick.sickness());
      case HealthEffect.Recover well -> {
        stats.well();
        LOG.info(
            "this worker has recovered after {} s: {}",
            well.sickMillis() / 1000,
            well.from().reason());
        worker.post(new WorkerEvent.Recovered());
      }
      case HealthEffect.End sick -> {
        LOG.error("this worker ends because it is still sick: {}", sick.sickness().reason());
        end.run();
      }
      case HealthEffect.Probe _, HealthEffect.Clear _ -> {}
    }
  }
}
