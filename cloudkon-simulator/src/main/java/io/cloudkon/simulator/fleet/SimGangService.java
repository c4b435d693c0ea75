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

/** A worker's part in HPC jobs: both production machines, and the loop that ticks them. */
final class SimGangService {
  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final SimManager manager;
  private final SimSubWorker subWorker;
  private boolean draining;
  private boolean gone;

  /**
   * Begins now.
   *
   * @param freeSlots how many of the worker's slots run nothing, and are not kept
   * @param events of the worker's machine
   */
  SimGangService(
      World world,
      SimProcess process,
      WorkerSetup setup,
      WorkerSetup.GangTimes times,
      SimRunWatch runs,
      IntSupplier freeSlots,
      Consumer<WorkerEvent> events) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    SplittableRandom random = world.random().split();
    var settings = setup.gangs(process.name(), times);
    subWorker = new SimSubWorker(world, process, random.split(), settings, freeSlots, events);
    manager =
        new SimManager(world, process, random.split(), setup, settings, runs, subWorker::tell);
    RankDoor door = new WorkerDoor(process, manager, subWorker);
    world.hpc().wire().open(process, door);
    there();
    process.in(random.nextLong(setup.tickMicros()), this::tick);
  }

  /** Time went by. */
  private void tick() {
    tickNow();
    if (!gone) {
      process.in(setup.tickMicros(), this::tick);
    }
  }

  private void there() {
    world.hpc().roster().there(process, setup.slots(), world.timeline().now());
  }

  /** The process was stopped, and goes on. */
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

  /** Its worker ends itself when nobody needs it. */
  void endsBy(SimLifetime lifetime) {
    manager.endsBy(lifetime);
  }

  /** What its worker is, for people. */
  String role() {
    return manager.manages() ? "manager" : subWorker.busy() > 0 ? "sub-worker" : "worker";
  }

  /** Slots in which ranks run. */
  int busy() {
    return subWorker.busy();
  }

  void slotsKept(long question, int kept) {
    process.in(0, () -> subWorker.tell(new SubWorkerEvent.SlotsKept(question, kept)));
  }

  /** What falls free may be for a rank. */
  void slotsChanged() {
    subWorker.look();
  }

  /** Takes no more; what runs may end. */
  void drain() {
    draining = true;
    world.hpc().roster().leaves(process);
    subWorker.drain();
    manager.drain();
  }

  /** Ends what runs. */
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

  /** Dead, gone, or with nothing in hand. */
  boolean idle() {
    return gone || (manager.idle() && subWorker.idle());
  }

  /** Nothing is in hand, and nothing will come any more. */
  boolean gone() {
    return gone;
  }

  @Override
  public String toString() {
    return gone ? "no gangs" : manager + ", " + subWorker;
  }
}
