package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.intake.ReceiveTimes;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a simulated worker. It passes events to the production state machine and effects to
 * slots and callers, whose outcomes come back as events.
 */
final class SimWorkerLoop implements SimLifetime.Load {
  /** A rounding margin in microseconds, because the machine's clock counts milliseconds. */
  private static final long ROUNDING = 500;

  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final WorkerMachine machine;
  private final SimSlots slots;
  private final SimRunWatch runs;
  private final SimPipeline tasks;
  private @Nullable SimGangService gangs;
  private @Nullable SimLifetime lifetime;
  private @Nullable SimMonitor monitor;
  private long decidesAt;
  private int slotsKept;
  private boolean sick;
  private boolean receiving;
  private boolean ticking;
  private boolean draining;
  private boolean gone;

  SimWorkerLoop(World world, SimProcess process, WorkerSetup setup, BackOff backOff) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    machine = new WorkerMachine(setup.settings(process.name()));
    slots = new SimSlots(world, process, setup.slots(), setup.overheadMicros(), this::tell);
    runs = new SimRunWatch(world, process, this::runClosed);
    tasks =
        new SimPipeline(
            world, process, setup, world.cloud().requests(), backOff, runs, new Served());
  }

  /** Makes the worker take part in HPC jobs. */
  void serves(SimGangService jobs) {
    gangs = jobs;
  }

  /** Makes the worker end itself when nobody needs it. */
  void endsBy(SimLifetime by) {
    lifetime = by;
  }

  /** Makes the worker write an entry about itself. */
  void monitoredBy(SimMonitor by) {
    monitor = by;
  }

  SimRunWatch runs() {
    return runs;
  }

  SimSlots slots() {
    return slots;
  }

  SimPipeline tasks() {
    return tasks;
  }

  /** The number of slots that run nothing and are not kept for ranks; none while it is sick. */
  int freeSlots() {
    return sick ? 0 : machine.freeSlots();
  }

  /** The number of slots that run a task and will probably be free in a moment. */
  int slotsSoon() {
    return machine.slotsSoon(process.now());
  }

  int busySlots() {
    return machine.busySlots();
  }

  /** Whether it takes no new work. */
  boolean draining() {
    return draining;
  }

  /** Whether it has drained and left. */
  boolean gone() {
    return gone;
  }

  /** Whether it holds nothing and no slot runs anything. */
  boolean idle() {
    return machine.bundlesInHand() == 0 && slots.idle();
  }

  /** Takes no new work; running tasks may finish. */
  void drain() {
    draining = true;
    if (lifetime != null) {
      lifetime.leaves();
    }
    slots.stop();
    tell(new WorkerEvent.Drain());
  }

  private void runClosed(SimRun run) {
    if (gangs != null) {
      gangs.runClosed(run);
    }
    tasks.runClosed(run);
  }

  /** Ticks while time may change anything. */
  private void keepTicking() {
    if (gone) {
      return;
    }
    boolean needed = !receiving || !tasks.isEmpty() || draining || !slots.idle();
    if (needed && !ticking) {
      ticking = true;
      process.in(setup.tickMicros(), this::tick);
    }
  }

  private void tick() {
    ticking = false;
    tasks.lookAtRuns();
    tell(new WorkerEvent.Tick());
    if (machine.drained() && tasks.attemptsSettled() && (gangs == null || gangs.gone()) && !gone) {
      gone = true;
      world.trace().say(process.name(), "is gone");
      if (lifetime != null) {
        lifetime.over();
      }
      world.cloud().fleet().leaves(process);
      if (monitor != null) {
        monitor.over();
      }
    }
  }

  /** Passes an event to the machine and carries out its effects. */
  void tell(WorkerEvent event) {
    if (process.dead() || gone) {
      return;
    }
    WorkerEvent told = world.twist().told(event);
    health(told);
    List<WorkerEffect> effects = world.twist().wanted(told, machine.on(told, process.now()));
    for (WorkerEffect effect : effects) {
      for (WorkerEvent more : world.twist().follows(effect)) {
        process.in(0, () -> tell(more));
      }
      carryOut(effect);
    }
    if (gangs != null) {
      gangs.slotsChanged();
    }
    if (lifetime != null && works()) {
      lifetime.worked();
    }
    keepTicking();
    tickInTime();
  }

  private void health(WorkerEvent event) {
    boolean fell = event instanceof WorkerEvent.FellSick;
    if (fell || event instanceof WorkerEvent.Recovered) {
      sick = fell;
      if (gangs != null) {
        gangs.sick(fell);
      }
    }
  }

  @Override
  public boolean works() {
    return machine.works(process.now()) || slotsKept > 0 || (gangs != null && !gangs.idle());
  }

  @Override
  public boolean holds() {
    return machine.bundlesInHand() > 0;
  }

  /**
   * Schedules a tick for a decision that is due before the next one, as the worker's own loop does.
   */
  private void tickInTime() {
    double due = machine.decidesInMicros();
    if (due >= setup.tickMicros() || gone) {
      return;
    }
    long at = world.timeline().now() + (long) due + ROUNDING;
    if (decidesAt <= world.timeline().now() || at < decidesAt) {
      decidesAt = at;
      process.in((long) due + ROUNDING, () -> decide(at));
    }
  }

  private void decide(long at) {
    if (decidesAt == at) {
      tell(new WorkerEvent.Tick());
    }
  }

  private void carryOut(WorkerEffect effect) {
    switch (effect) {
      case WorkerEffect.Receive receive -> {
        receiving = true;
        tasks.receive(receive.max(), lifetime, this::received);
      }
      case WorkerEffect.SlotsKept kept -> {
        slotsKept = kept.slots();
        if (gangs != null) {
          gangs.slotsKept(kept.question(), kept.slots(), kept.soon());
        }
      }
      case WorkerEffect.Run run -> {
        SimBundle hand = tasks.hand(run.bundle());
        tasks.mayAct("run", hand);
        slots.run(run, hand, machine.attempt(run.bundle()));
      }
      case WorkerEffect.CutChunk cut -> slots.cut(cut.slot());
      case WorkerEffect.OfBundle of -> tasks.carryOut(of.bundle(), of.effect());
    }
  }

  private void received(@Nullable List<Delivery<Request>> got, Moment begun, long begunMicros) {
    receiving = false;
    if (lifetime != null) {
      lifetime.requestsReceived(begunMicros, got != null && got.isEmpty());
    }
    if (got == null) {
      tell(new WorkerEvent.ReceiveFailed());
      return;
    }
    List<WorkerEvent.Arrival> arrivals = tasks.arrived(got, begunMicros, this::nonce);
    ReceiveTimes times =
        ReceiveTimes.of(
            begun,
            world.timeline().now() - begunMicros,
            got.stream()
                .map(each -> new ReceiveTimes.Message(each.sentAt() / 1000, each.receives()))
                .toList());
    tell(new WorkerEvent.Received(arrivals, begun, times));
    tasks.look(tasks.stillInHand(arrivals));
  }

  private String nonce(long key, Request request) {
    return world.twist().nonce(process.name() + "-" + key, request.bundle().header().bundle());
  }

  /** The worker's machine as seen by its pipeline. */
  private final class Served implements SimPipeline.Loop {
    @Override
    public int attempt(long key) {
      return machine.attempt(key);
    }

    @Override
    public void tell(SimBundle hand, BundleEvent event) {
      tell(new WorkerEvent.OfBundle(hand.key, event));
    }

    @Override
    public void tell(WorkerEvent event) {
      SimWorkerLoop.this.tell(event);
    }

    @Override
    public void kill(SimBundle hand) {
      slots.kill(hand);
    }
  }

  @Override
  public String toString() {
    return tasks.toString();
  }
}
