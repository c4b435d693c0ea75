package io.cloudkon.worker.cli;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.notice.Notice;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import io.cloudkon.worker.notice.NoticeWatch;
import io.cloudkon.worker.service.WorkerService;
import java.time.Duration;
import java.util.function.Function;

/**
 * Carries out on a worker what the watch of its machine decides. Thread safe.
 *
 * @param lifetime the lifetime settings of a worker with a given origin; used once the origin is
 *     known
 */
record LeavingWorker(WorkerService service, Function<WorkerOrigin, LifetimeConfig> lifetime)
    implements NoticeWatch.Leaver {
  @Override
  public void announce(Notice notice) {
    service.stats().notice(notice.label());
  }

  @Override
  public void comesFrom(WorkerOrigin origin) {
    service.stats().origin(origin);
    if (origin.launched()) {
      service.lifetime().becomes(lifetime.apply(origin));
    }
  }

  @Override
  public void drainWithin(Duration longest) {
    service.drainWithin(longest);
  }
}
