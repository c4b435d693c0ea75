package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.SplittableRandom;

/** Makes workers of equal size join, leave, stop, and die at any effect. */
final class GangFleet {
  private static final int EFFECTS = 500;
  private static final long JOIN_AGAIN = 3_000;

  private final Simulation simulation;
  private final ChaosPlan plan;
  private final WorkerSetup worker;
  private final int count;
  private final SplittableRandom random;

  GangFleet(Simulation simulation, ChaosPlan plan, int count, SplittableRandom random) {
    this.simulation = simulation;
    this.plan = plan;
    this.worker = plan.worker();
    this.count = count;
    this.random = random;
  }

  void begin() {
    boolean quiet = random.nextInt(5) == 0;
    for (int i = 0; i < count; i++) {
      join(quiet);
    }
    // Workers that live on and are not disturbed any more.
    in(
        plan.untilMicros(),
        () -> {
          for (int i = 0; i < count; i++) {
            lasting();
          }
        });
  }

  private void lasting() {
    SimWorker joined = simulation.join(worker, CrashPoint.NEVER, plan.clocks(random));
    joined.process().onStop(() -> in(millis(1_500), this::lasting));
  }

  private void join(boolean quiet) {
    SimWorker joined = simulation.join(worker, crash(quiet), plan.clocks(random));
    joined.process().onStop(() -> successor(quiet));
    if (quiet) {
      return;
    }
    ClockLeaps.of(plan, simulation, joined);
    if (random.nextInt(3) == 0) {
      long millis = 1_000L + random.nextInt(40_000);
      boolean withMachine = random.nextBoolean();
      in(millis(random.nextInt(60_000)), () -> joined.process().pause(millis, withMachine));
    }
    if (random.nextInt(4) == 0) {
      in(millis(random.nextInt(60_000)), joined.process()::die);
    }
    if (random.nextInt(4) == 0) {
      long timeout = random.nextInt(6_000);
      in(
          millis(random.nextInt(60_000)),
          () -> {
            joined.drain(timeout);
            successor(false);
          });
    }
  }

  private CrashPoint crash(boolean quiet) {
    if (quiet || random.nextInt(5) < 2) {
      return CrashPoint.NEVER;
    }
    long pause = random.nextInt(3) == 0 ? 5_000 + random.nextInt(35_000) : 0;
    return new CrashPoint(1 + random.nextInt(EFFECTS), random.nextBoolean(), pause);
  }

  private void successor(boolean quiet) {
    long after = millis(random.nextLong(JOIN_AGAIN));
    if (simulation.world().timeline().now() + after < plan.untilMicros()) {
      in(after, () -> join(quiet));
    }
  }

  private void in(long micros, Runnable what) {
    simulation.world().timeline().in(micros, what);
  }

  private static long millis(long millis) {
    return millis * 1000;
  }
}
