package io.cloudkon.worker.service;

import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.Backlog;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.gang.GangInbox;
import io.cloudkon.worker.gang.GangService;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.lifetime.Polls;
import io.cloudkon.worker.pipeline.Inbox;

/** The additional parts that jobs need, which report to their own inbox. */
final class JobParts {
  private JobParts() {}

  /**
   * Starts the parts.
   *
   * @param freeSlots the worker's free slots
   * @param worker the inbox of the worker's state machine
   * @param leave ends the worker at once
   */
  static WorkerLoop.Jobs start(
      GangConfig how,
      SharedParts parts,
      TaskRunner runner,
      WorkerHealth health,
      Inputs inputs,
      FreeSlots freeSlots,
      Inbox worker,
      Polls polls,
      Runnable leave) {
    GangInbox inbox = new GangInbox();
    Backlog backlog = new Backlog();
    Pipeline pipeline = Pipeline.ofJobs(parts, inbox, polls, backlog::gatherMillis);
    JobHost host =
        new JobHost(
            runner, health, inputs, parts.stats(), freeSlots, worker, pipeline, backlog, leave);
    GangService gangs =
        new GangService(
            how,
            parts.cluster(),
            parts.time(),
            inbox,
            pipeline.inHand(),
            host,
            pipeline.pulse(),
            parts.later(),
            parts.backOff(),
            parts.io());
    return new WorkerLoop.Jobs(gangs, pipeline, inbox);
  }
}
