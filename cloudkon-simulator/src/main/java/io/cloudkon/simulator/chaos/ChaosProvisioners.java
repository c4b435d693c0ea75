package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.provision.SimProvisioner;
import io.cloudkon.simulator.scaling.ScaledFleet;
import java.util.SplittableRandom;

/** Up to two provisioners at a time that die or are stopped at any of their effects. */
final class ChaosProvisioners {
  private static final int EFFECTS = 120;
  private static final long BEGIN_AGAIN = 8_000;

  private final Simulation simulation;
  private final ScaledFleet fleet;
  private final ChaosPlan plan;
  private final SplittableRandom random;

  ChaosProvisioners(
      Simulation simulation, ScaledFleet fleet, ChaosPlan plan, SplittableRandom random) {
    this.simulation = simulation;
    this.fleet = fleet;
    this.plan = plan;
    this.random = random;
  }

  void begin() {
    boolean quiet = random.nextInt(5) == 0;
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      in(random.nextInt(3) == 0 ? random.nextLong(30_000) : 0, () -> start(quiet));
    }
    // A provisioner that lives on and is not disturbed any more.
    in(
        plan.untilMicros() / 1000,
        () -> {
          SimProvisioner unused = fleet.provisioner(CrashPoint.NEVER, plan.clocks(random));
        });
  }

  private void start(boolean quiet) {
    SimProvisioner provisioner = fleet.provisioner(crash(quiet), plan.clocks(random));
    provisioner
        .process()
        .onStop(() -> {
          long after = random.nextLong(BEGIN_AGAIN);
          if (now() + after < plan.untilMicros() / 1000) {
            in(after, () -> start(quiet));
          }
        });
    if (!quiet && random.nextInt(3) == 0) {
      long millis = 1_000L + random.nextInt(60_000);
      boolean withMachine = random.nextBoolean();
      in(random.nextLong(60_000), () -> provisioner.process().pause(millis, withMachine));
    }
    if (!quiet && random.nextInt(4) == 0) {
      in(random.nextLong(60_000), provisioner.process()::die);
    }
  }

  private CrashPoint crash(boolean quiet) {
    if (quiet || random.nextInt(4) == 0) {
      return CrashPoint.NEVER;
    }
    long pause = random.nextInt(3) == 0 ? 5_000 + random.nextInt(55_000) : 0;
    return new CrashPoint(1 + random.nextInt(EFFECTS), random.nextBoolean(), pause);
  }

  private long now() {
    return simulation.world().timeline().now() / 1000;
  }

  private void in(long millis, Runnable what) {
    simulation.world().timeline().in(millis * 1000, what);
  }
}
