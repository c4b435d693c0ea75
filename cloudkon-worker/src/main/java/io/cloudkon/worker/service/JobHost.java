package io.cloudkon.worker.service;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.Backlog;
import io.cloudkon.worker.gang.GangHost;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.source.Source;
import java.util.function.IntSupplier;

/** What the gangs of a worker need of it. */
final class JobHost implements GangHost {
  private final TaskRunner runner;
  private final Inputs inputs;
  private final WorkerStats stats;
  private final IntSupplier freeSlots;
  private final Inbox worker;
  private final Source source;
  private final RunWatch runs;
  private final EffectRunner effects;
  private final Backlog backlog;

  /**
   * For one worker.
   *
   * @param freeSlots how many slots run nothing
   * @param worker where the worker's machine is told
   * @param source receives jobs
   * @param runs looks after the runs of jobs in hand
   * @param effects carries out what jobs want done; closed with this
   * @param backlog how much more it will have to send
   */
  JobHost(
      TaskRunner runner,
      Inputs inputs,
      WorkerStats stats,
      IntSupplier freeSlots,
      Inbox worker,
      Source source,
      RunWatch runs,
      EffectRunner effects,
      Backlog backlog) {
    this.backlog = backlog;
    this.runner = runner;
    this.inputs = inputs;
    this.stats = stats;
    this.freeSlots = freeSlots;
    this.worker = worker;
    this.source = source;
    this.runs = runs;
    this.effects = effects;
  }

  @Override
  public TaskRunner runner() {
    return runner;
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
    return freeSlots.getAsInt();
  }

  @Override
  public void keepSlots(long question, int slots) {
    worker.post(new WorkerEvent.KeepSlots(question, slots));
  }

  @Override
  public void receive(int max) {
    // Not before their arrival was told: what concerns a job that is not there yet is lost.
    runs.look(source.receive(max));
  }

  @Override
  public void carryOut(BundleInHand job, BundleEffect effect) {
    effects.carryOut(job, effect);
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
  public void close() throws InterruptedException {
    effects.close();
  }
}
