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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What the gangs of a worker need of it. */
final class JobHost implements GangHost {
  private final TaskRunner runner;
  private final Inputs inputs;
  private final WorkerStats stats;
  private final IntSupplier freeSlots;
  private final Inbox worker;
  private final Inbox jobs;
  private final Crowd crowd;
  private final Source source;
  private final RunWatch runs;
  private final EffectRunner effects;
  private final Backlog backlog;
  private final AtomicReference<@Nullable Thread> receiving = new AtomicReference<>();
  private volatile boolean stopped;

  /**
   * For one worker.
   *
   * @param freeSlots how many slots run nothing
   * @param worker where the worker's machine is told
   * @param jobs where the manager's machine is told
   * @param crowd of the jobs in hand
   * @param source receives jobs, and tells {@code jobs}
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
      Inbox jobs,
      Crowd crowd,
      Source source,
      RunWatch runs,
      EffectRunner effects,
      Backlog backlog) {
    this.runner = runner;
    this.inputs = inputs;
    this.stats = stats;
    this.freeSlots = freeSlots;
    this.worker = worker;
    this.jobs = jobs;
    this.crowd = crowd;
    this.source = source;
    this.runs = runs;
    this.effects = effects;
    this.backlog = backlog;
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
    receiving.set(Thread.currentThread());
    try {
      if (stopped || crowd.tooLarge()) {
        jobs.post(new WorkerEvent.ReceiveFailed());
      } else {
        // Not before their arrival was told: what concerns a job that is not there yet is lost.
        runs.look(source.receive(max));
      }
    } finally {
      // The next receive may have begun already.
      receiving.compareAndSet(Thread.currentThread(), null);
    }
  }

  @Override
  public void stopReceiving() {
    stopped = true;
    Thread receiver = receiving.get();
    if (receiver != null) {
      receiver.interrupt();
    }
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
