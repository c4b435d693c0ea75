package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.scaling.ScaledFleet;
import java.util.SplittableRandom;

/** Makes launched workers leave, stop, and die at any effect. */
final class LaunchedFleet {
  private static final int EFFECTS = 150;

  private final Simulation simulation;
  private final ScaledFleet fleet;
  private final ChaosPlan plan;
  private final SplittableRandom random;
  private final FleetFaults faults;
  private final SplittableRandom ends;
  private final boolean quiet;

  LaunchedFleet(
      Simulation simulation,
      ScaledFleet fleet,
      ChaosPlan plan,
      FleetFaults faults,
      SplittableRandom random,
      SplittableRandom ends) {
    this.simulation = simulation;
    this.fleet = fleet;
    this.plan = plan;
    this.faults = faults;
    this.random = random;
    this.ends = ends;
    this.quiet = random.nextInt(4) == 0;
  }

  void begin() {
    fleet.joinBy(this::join);
    if (!quiet && random.nextInt(4) == 0) {
      in(
          millis(10_000 + random.nextInt(60_000)),
          () -> fleet.live().forEach(one -> one.worker().process().die()));
    }
  }

  private SimWorker join(WorkerSetup setup) {
    boolean calm = quiet || simulation.world().timeline().now() > plan.untilMicros();
    SimWorker worker = simulation.join(setup, crash(calm), plan.clocks(random));
    if (calm) {
      return worker;
    }
    if (random.nextInt(4) == 0) {
      long millis = 1_000L + random.nextInt(60_000);
      boolean withMachine = random.nextBoolean();
      befalls(() -> worker.process().pause(millis, withMachine));
    }
    if (random.nextInt(5) == 0) {
      befalls(() -> worker.process().die());
    }
    if (random.nextInt(6) == 0) {
      long timeout = random.nextInt(6_000);
      befalls(() -> worker.drain(timeout));
    }
    if (faults.shortLived() && ends.nextInt(3) > 0) {
      in(millis(ends.nextInt(4_000)), worker.process()::die);
    }
    if (faults.hangs() && ends.nextInt(3) == 0) {
      long hung = 100_000 + ends.nextLong(FleetFaults.HANG_MICROS / 1000 - 100_000);
      befalls(() -> worker.process().pause(hung, false));
    }
    return worker;
  }

  private void befalls(Runnable what) {
    in(
        millis(random.nextInt(40_000)),
        () -> {
          if (simulation.world().timeline().now() < plan.untilMicros()) {
            what.run();
          }
        });
  }

  private CrashPoint crash(boolean calm) {
    if (calm || random.nextInt(5) < 3) {
      return CrashPoint.NEVER;
    }
    long pause = random.nextInt(3) == 0 ? 5_000 + random.nextInt(55_000) : 0;
    return new CrashPoint(1 + random.nextInt(EFFECTS), random.nextBoolean(), pause);
  }

  private void in(long micros, Runnable what) {
    simulation.world().timeline().in(micros, what);
  }

  private static long millis(long millis) {
    return millis * 1000;
  }
}
