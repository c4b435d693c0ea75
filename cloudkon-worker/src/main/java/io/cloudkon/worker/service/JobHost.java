package io.cloudkon.worker.service;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.Backlog;
import io.cloudkon.worker.gang.GangHost;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;

/** The parts of a worker that its gangs need. */
final class JobHost implements GangHost {
  private final TaskRunner runner;
  private final WorkerHealth health;
  private final Inputs inputs;
  private final WorkerStats stats;
  private final FreeSlots freeSlots;
  private final Inbox worker;
  private final Pipeline jobs;
  private final Backlog backlog;
  private final Runnable leave;

  /**
   * A host in one worker.
   *
   * @param freeSlots the worker's free slots
   * @param worker the inbox of the worker's state machine
   * @param jobs receives jobs and reports to the manager's state machine; closed with this
   * @param backlog the number of jobs whose results are still to come
   * @param leave ends the worker at once
   */
  JobHost(
      TaskRunner runner,
      WorkerHealth health,
      Inputs inputs,
      WorkerStats stats,
      FreeSlots freeSlots,
      Inbox worker,
      Pipeline jobs,
      Backlog backlog,
      Runnable leave) {
    this.runner = runner;
    this.health = health;
    this.inputs = inputs;
    this.stats = stats;
    this.freeSlots = freeSlots;
    this.worker = worker;
    this.jobs = jobs;
    this.backlog = backlog;
    this.leave = leave;
  }

  @Override
  public TaskRunner runner() {
    return runner;
  }

  @Override
  public Health health() {
    return health;
  }

  @Override
  public Inputs inputs() {
    return inputs;
  }

  @Override
  public WorkerStats stats() {
    return stats;
  }

  @Override
  public int freeSlots() {
    return health.sick() ? 0 : freeSlots.now();
  }

  @Override
  public int slotsSoon() {
    return health.sick() ? 0 : freeSlots.soon();
  }

  @Override
  public void keepSlots(long question, int slots) {
    worker.post(new WorkerEvent.KeepSlots(question, slots));
  }

  @Override
  public void receive(int max) {
    if (health.sick()) {
      jobs.receiveNothing();
    } else {
      jobs.receive(max);
    }
  }

  @Override
  public void stopReceiving() {
    jobs.stopReceiving();
  }

  @Override
  public void carryOut(BundleInHand job, BundleEffect effect) {
    jobs.carryOut(job, effect);
  }

  @Override
  public Backlog backlog() {
    return backlog;
  }

  @Override
  public void changed() {
    worker.post(new WorkerEvent.Tick());
  }

  @Override
  public void leave() {
    leave.run();
  }

  @Override
  public void close() throws InterruptedException {
    jobs.close();
  }
}
