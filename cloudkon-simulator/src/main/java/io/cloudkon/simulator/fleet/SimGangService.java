package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.RankDoor;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** A worker's part in HPC jobs: both production state machines, and the loop that ticks them. */
final class SimGangService {
  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final SimManager manager;
  private final SimSubWorker subWorker;
  private boolean draining;
  private boolean gone;

  /**
   * Starts now.
   *
   * @param freeSlots the number of the worker's slots that are idle and not kept
   * @param slotsSoon the number of those that run a task and will probably be free in a moment
   * @param events receives the events of the worker's machine
   */
  SimGangService(
      World world,
      SimProcess process,
      WorkerSetup setup,
      WorkerSetup.GangTimes times,
      SimRunWatch runs,
      IntSupplier freeSlots,
      IntSupplier slotsSoon,
      Consumer<WorkerEvent> events) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    SplittableRandom random = world.random().split();
    var settings = setup.gangs(process.name(), times);
    subWorker =
        new SimSubWorker(world, process, random.split(), settings, freeSlots, slotsSoon, events);
    manager =
        new SimManager(world, process, random.split(), setup, settings, runs, subWorker::tell);
    RankDoor door = new WorkerDoor(process, manager, subWorker);
    world.hpc().wire().open(process, door);
    there();
    process.in(random.nextLong(setup.tickMicros()), this::tick);
  }

  /** Ticks, and schedules the next tick. */
  private void tick() {
    tickNow();
    if (!gone) {
      process.in(setup.tickMicros(), this::tick);
    }
  }

  private void there() {
    world.hpc().roster().there(process, setup.slots(), world.timeline().now());
  }

  /** Continues after the process was stopped. */
  void goesOn() {
    if (!draining) {
      there();
    }
    tickNow();
  }

  private void tickNow() {
    if (gone) {
      return;
    }
    subWorker.tell(new SubWorkerEvent.Tick());
    manager.tick();
    if (draining && manager.drained() && subWorker.idle() && !gone) {
      gone = true;
      world.trace().say(process.name(), "is no part of gangs any more");
    }
  }

  /** Makes the worker end itself when nobody needs it. */
  void endsBy(SimLifetime lifetime) {
    manager.endsBy(lifetime);
  }

  /** The worker's role, for people. */
  String role() {
    return manager.manages() ? "manager" : subWorker.busy() > 0 ? "sub-worker" : "worker";
  }

  /** The number of slots in which ranks run. */
  int busy() {
    return subWorker.busy();
  }

  void slotsKept(long question, int kept, int soon) {
    process.in(0, () -> subWorker.tell(new SubWorkerEvent.SlotsKept(question, kept, soon)));
  }

  /** Reports whether the worker is sick. */
  void sick(boolean so) {
    process.in(
        0,
        () -> subWorker.tell(so ? new SubWorkerEvent.FellSick() : new SubWorkerEvent.Recovered()));
  }

  /** Looks for ranks after slots became free. */
  void slotsChanged() {
    subWorker.look();
  }

  /** Takes no new work; running ranks may finish. */
  void drain() {
    draining = true;
    world.hpc().roster().leaves(process);
    subWorker.drain();
    manager.drain();
  }

  /** Ends everything that runs. */
  void kill() {
    manager.tell(new GangEvent.Kill());
    subWorker.tell(new SubWorkerEvent.Kill());
  }

  void resultsGoNowhere(boolean from) {
    manager.resultsGoNowhere(from);
  }

  void runClosed(io.cloudkon.simulator.load.SimRun run) {
    manager.runClosed(run);
  }

  /** Whether it has left or holds nothing. */
  boolean idle() {
    return gone || (manager.idle() && subWorker.idle());
  }

  /** Whether it holds nothing and nothing will come any more. */
  boolean gone() {
    return gone;
  }

  @Override
  public String toString() {
    return gone ? "no gangs" : manager + ", " + subWorker;
  }
}
