package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;

/** A worker's entry with another load. */
final class ReportedWorker {
  private ReportedWorker() {}

  static WorkerEntry of(WorkerEntry old, int busy, double tasksPerSecond) {
    return new WorkerEntry(
        old.id(),
        old.host(),
        old.origin(),
        old.takes(),
        old.role(),
        old.notice(),
        old.slots(),
        busy,
        0,
        0,
        old.tasksDone() + 1,
        tasksPerSecond,
        old.sinceMillis(),
        old.updatedMillis());
  }
}
