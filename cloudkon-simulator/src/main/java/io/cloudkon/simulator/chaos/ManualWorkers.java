package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.scaling.ScaledFleet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Workers that are started manually, in addition to the launched ones, and then ended or left
 * alone.
 */
final class ManualWorkers {
  private final Simulation simulation;
  private final ScaledFleet fleet;
  private final ChaosPlan plan;
  private final SplittableRandom random;

  ManualWorkers(Simulation simulation, ScaledFleet fleet, ChaosPlan plan, SplittableRandom random) {
    this.simulation = simulation;
    this.fleet = fleet;
    this.plan = plan;
    this.random = random;
  }

  /** Starts a worker with each number of slots at a random time. */
  void begin(List<Integer> slots) {
    slots.forEach(each -> in(random.nextInt(3) == 0 ? random.nextLong(40_000_000) : 0, each));
  }

  private void in(long micros, int slots) {
    simulation.world().timeline().in(micros, () -> start(slots));
  }

  private void start(int slots) {
    SimWorker worker = fleet.byHand(slots, plan.clocks(random));
    long after = random.nextLong(plan.untilMicros());
    switch (random.nextInt(6)) {
      case 0 -> simulation.world().timeline().in(after, worker.process()::die);
      case 1 -> simulation.world().timeline().in(after, () -> leave(worker));
      default -> {}
    }
  }

  private void leave(SimWorker worker) {
    fleet.cloud().byHand().leaves(worker.process());
    worker.drain(2_000);
  }
}
