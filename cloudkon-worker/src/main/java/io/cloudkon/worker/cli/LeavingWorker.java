package io.cloudkon.worker.cli;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.notice.Notice;
import io.cloudkon.worker.notice.NoticeWatch;
import io.cloudkon.worker.service.WorkerService;
import java.time.Duration;

/** A worker that does what the watch of its machine says. Thread safe. */
record LeavingWorker(WorkerService service) implements NoticeWatch.Leaver {
  @Override
  public void announce(Notice notice) {
    service.stats().notice(notice.label());
  }

  @Override
  public void comesFrom(WorkerOrigin origin) {
    service.stats().origin(origin);
  }

  @Override
  public void drainWithin(Duration longest) {
    service.drainWithin(longest);
  }
}
