package io.cloudkon.worker.service;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.GangInbox;
import io.cloudkon.worker.gang.GangLoad;
import io.cloudkon.worker.gang.GangService;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.lifetime.Lifetime;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.MachineLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a worker. One thread owns the state machine. It takes events from the inbox and hands
 * the effects to slots and callers, whose outcomes come back as events.
 */
final class WorkerLoop implements MachineLoop.Machines<WorkerEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);

  /** Compensates for the state machine's clock, which counts milliseconds. */
  private static final long ROUNDING_NANOS = 500_000L;

  private final WorkerMachine machine;
  private final TimeSource time;
  private final BlockingQueue<WorkerEvent> events;
  private final Departure departure;
  private final Lifetime lifetime;
  private final Pipeline tasks;
  private final List<Slot> slots;
  private final @Nullable Jobs jobs;
  private final TaskRunner runner;
  private final WorkerHealth health;
  private final WorkerStats stats;
  private final Executor io;
  private final Duration patience;
  private final FreeSlots freeSlots;
  private final Runnable drain;
  private final boolean takesTasks;
  private int slotsKept;
  private boolean worked;
  private long runsLookedAt;

  /**
   * A worker's part in HPC jobs.
   *
   * @param inbox receives the number of slots that are kept for ranks
   */
  record Jobs(GangService gangs, Pipeline pipeline, GangInbox inbox) {}

  /**
   * A loop that does not run yet.
   *
   * @param events the events from callers and slots for the state machine
   * @param jobs null if it takes no part in HPC jobs
   * @param freeSlots receives the number of slots that run nothing
   * @param drain makes the worker drain
   */
  WorkerLoop(
      WorkerConfig config,
      TimeSource time,
      BlockingQueue<WorkerEvent> events,
      Departure departure,
      Lifetime lifetime,
      Pipeline tasks,
      List<Slot> slots,
      @Nullable Jobs jobs,
      TaskRunner runner,
      WorkerHealth health,
      WorkerStats stats,
      Executor io,
      FreeSlots freeSlots,
      Runnable drain) {
    this.machine = new WorkerMachine(config.settings());
    this.time = time;
    this.events = events;
    this.departure = departure;
    this.lifetime = lifetime;
    this.tasks = tasks;
    this.slots = slots;
    this.jobs = jobs;
    this.runner = runner;
    this.health = health;
    this.stats = stats;
    this.io = io;
    this.patience = Duration.ofMillis(2 * config.settings().lease().lease());
    this.freeSlots = freeSlots;
    this.drain = drain;
    this.takesTasks = config.settings().tasks();
  }

  /**
   * Runs until the worker has drained or must leave at once.
   *
   * @param end runs after that in every case
   */
  void run(Runnable end) {
    try {
      MachineLoop.run(this, nanos -> events.poll(nanos, TimeUnit.NANOSECONDS), time);
    } catch (InterruptedException e) {
      LOG.warn("the worker's loop was interrupted and ends immediately");
    } catch (RuntimeException | Error e) {
      departure.fail();
      LOG.error(
          "the worker's loop failed and ends immediately; other workers take over its bundles", e);
    } finally {
      end.run();
    }
  }

  @Override
  public boolean ended() {
    return (machine.drained() && gangsDrained() && attemptsSettled()) || departure.leaving();
  }

  @Override
  public void tick() {
    maintain();
    on(new WorkerEvent.Tick());
  }

  @Override
  public void on(WorkerEvent event) {
    Moment now = time.now();
    if (jobs != null
        && (event instanceof WorkerEvent.FellSick || event instanceof WorkerEvent.Recovered)) {
      jobs.inbox().post(event);
    }
    List<WorkerEffect> effects = machine.on(event, now);
    // Set before results are sent, so that the last ones do not wait for others.
    int before = freeSlots.set(machine.freeSlots());
    if (before == 0 && freeSlots.now() > 0) {
      tasks.gatherAnew();
    }
    effects.forEach(this::carryOut);
    if (event instanceof WorkerEvent.Tick) {
      tasks.pulse().beat(now);
    }
    // A copy of a bundle that another worker runs is no work, however often it is received.
    worked = worked || machine.works(now);
    publish(before, now);
  }

  private boolean gangsDrained() {
    return jobs == null || jobs.gangs().drained();
  }

  /** Whether attempts that were lost while alive have been taken back, or the time for it is up. */
  private boolean attemptsSettled() {
    boolean settled =
        tasks.attemptsSettled() && (jobs == null || jobs.pipeline().attemptsSettled());
    return settled || departure.timeIsUp();
  }

  private void publish(int freeBefore, Moment now) {
    if (jobs == null) {
      stats.now(machine.busySlots(), machine.bundlesInHand());
      return;
    }
    GangService gangs = jobs.gangs();
    freeSlots.expect(machine.slotsSoon(now));
    if (freeBefore != freeSlots.now()) {
      gangs.slotsChanged();
    }
    // Slots are kept empty because a job waits for them, so the ledger need not be read.
    GangLoad load = gangs.load();
    worked |= load.jobs() > 0 || load.ranks() > 0 || slotsKept > 0;
    stats.now(machine.busySlots() + gangs.busy(), machine.bundlesInHand() + load.jobs());
    stats.refused(gangs.refused());
    stats.role(load.gangs() > 0 ? "manager" : load.ranks() > 0 ? "sub-worker" : "worker");
    if (gangs.addressLost()) {
      lifetime.endJobs();
      if (!takesTasks && !departure.draining()) {
        drain.run();
      }
    }
    if (gangs.failed() && !departure.leaving()) {
      departure.fail();
    }
  }

  /**
   * The time until the next decision of the state machine, so that no slot waits for a claim or a
   * bundle that could have been requested in time.
   */
  @Override
  public long decidesInNanos() {
    double micros = Math.min(machine.decidesInMicros(), MachineLoop.TICK_NANOS / 1000.0);
    return (long) (micros * 1000) + ROUNDING_NANOS;
  }

  private void maintain() {
    runner.guard().beat();
    health.tick();
    // A worker that cannot work is not idle: it ends because it is sick.
    worked |= health.sick();
    if (lifetime.isOver(worked, machine.bundlesInHand() > 0, departure.draining())) {
      drain.run();
    }
    worked = false;
    if (departure.timeIsUp()) {
      tasks.inHand().values().forEach(b -> b.interruption().kill("its worker is leaving"));
      if (jobs != null) {
        jobs.gangs().kill();
      }
      giveUpSettling();
    }
    long now = time.monotonicNanos();
    if (now - runsLookedAt >= RunWatch.LOOK_NANOS) {
      runsLookedAt = now;
      tasks.lookAtRuns();
      if (jobs != null) {
        jobs.pipeline().lookAtRuns();
      }
    }
  }

  /** Stops settling when a service does not answer, so that the worker can leave. */
  private void giveUpSettling() {
    if (departure.timeIsUpFor(patience)) {
      LOG.warn(
          "{} bundles could not be settled in time; other workers take them over when the leases"
              + " expire",
          machine.bundlesInHand());
      departure.fail();
    }
  }

  private void carryOut(WorkerEffect effect) {
    switch (effect) {
      case WorkerEffect.Receive receive -> io.execute(() -> tasks.receive(receive.max()));
      case WorkerEffect.SlotsKept kept -> {
        slotsKept = kept.slots();
        if (jobs != null) {
          jobs.inbox().slotsKept(kept.question(), kept.slots(), kept.soon());
        }
      }
      case WorkerEffect.Run run -> {
        BundleInHand bundle = tasks.inHand().get(run.bundle());
        if (bundle == null) {
          throw new IllegalStateException(
              "slot %d runs a bundle that is gone".formatted(run.slot()));
        }
        slots.get(run.slot()).run(bundle, run.tasks());
      }
      case WorkerEffect.CutChunk cut -> slots.get(cut.slot()).cut();
      case WorkerEffect.OfBundle of -> {
        BundleInHand bundle = tasks.inHand().get(of.bundle());
        if (bundle != null) {
          tasks.carryOut(bundle, of.effect());
        }
        if (of.effect() instanceof BundleEffect.Close) {
          tasks.inHand().remove(of.bundle());
        }
      }
    }
  }
}
