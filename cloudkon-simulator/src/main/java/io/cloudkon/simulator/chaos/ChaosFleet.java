package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.SplittableRandom;

/** Makes workers join, leave, stop, and die at any effect. */
final class ChaosFleet {
  private static final int MOST = 4;
  private static final int SLOTS = 4;
  private static final int EFFECTS = 80;
  private static final long JOIN_AGAIN = 3_000;

  private final Simulation simulation;
  private final ChaosPlan plan;
  private final SplittableRandom random;
  private final SplittableRandom outages;
  private long nobodyFrom;
  private long nobodyUntil;

  /**
   * A fleet that has not started.
   *
   * @param random the source of all random numbers except those of outages
   * @param outages the source of when a worker is cut off from the tables
   */
  ChaosFleet(
      Simulation simulation, ChaosPlan plan, SplittableRandom random, SplittableRandom outages) {
    this.simulation = simulation;
    this.plan = plan;
    this.random = random;
    this.outages = outages;
  }

  void begin() {
    boolean quiet = random.nextInt(5) == 0;
    if (!plan.deserted() || random.nextBoolean()) {
      int fleet = 1 + random.nextInt(MOST);
      for (int i = 0; i < fleet; i++) {
        join(quiet);
      }
    }
    if (random.nextInt(8) == 0) {
      nobody(millis(1_000 + random.nextInt(15_000)), millis(20_000 + random.nextInt(60_000)));
    }
    if (plan.nowhere()) {
      nowhere(random.nextInt(20_000), 1 + random.nextInt(45));
    }
    // Workers that live on and are not disturbed any more.
    in(plan.untilMicros(), () -> lasting(2));
  }

  /** Leaves the simulation without workers for a while. */
  private void nobody(long from, long micros) {
    nobodyFrom = from;
    nobodyUntil = from + micros;
    in(from, () -> simulation.workers().forEach(worker -> worker.process().die()));
  }

  /** For some seconds lets all current workers fail to deliver results anywhere. */
  private void nowhere(long fromMillis, int seconds) {
    for (int second = 0; second <= seconds; second++) {
      boolean still = second < seconds;
      in(
          millis(fromMillis + second * 1_000L),
          () -> simulation.workers().forEach(worker -> worker.resultsGoNowhere(still)));
    }
  }

  /** A worker that is disturbed only by its tasks. */
  private void lasting(int slots) {
    SimWorker worker =
        simulation.join(WorkerSetup.of(slots), CrashPoint.NEVER, plan.clocks(random));
    worker.process().onStop(() -> in(millis(1_500), () -> lasting(slots)));
  }

  private void join(boolean quiet) {
    int slots = 1 + random.nextInt(SLOTS);
    SimWorker worker = simulation.join(WorkerSetup.of(slots), crash(quiet), plan.clocks(random));
    worker.process().onStop(() -> successor(quiet));
    if (plan.deserted()) {
      in(millis(random.nextInt(60_000)), worker.process()::die);
    }
    if (quiet) {
      return;
    }
    cutOff(worker);
    cutOffFromQueues(worker);
    ClockLeaps.of(plan, simulation, worker);
    if (random.nextInt(3) == 0) {
      long millis = 1_000L + random.nextInt(40_000);
      boolean withMachine = random.nextBoolean();
      in(millis(random.nextInt(20_000)), () -> worker.process().pause(millis, withMachine));
    }
    if (random.nextInt(4) == 0) {
      long timeout = random.nextInt(6_000);
      in(
          millis(random.nextInt(20_000)),
          () -> {
            worker.drain(timeout);
            successor(false);
          });
    }
  }

  /** Cuts a worker off from all tables for a while, usually for longer than its leases last. */
  private void cutOff(SimWorker worker) {
    if (outages.nextInt(4) == 0) {
      long millis = 5_000L + outages.nextInt(20_000);
      in(millis(outages.nextInt(20_000)), () -> worker.process().cutOff(millis));
    }
  }

  /** Cuts a worker off from all queues for a while, sometimes for longer than it waits for them. */
  private void cutOffFromQueues(SimWorker worker) {
    // Of its own, so that a seed shows otherwise what it showed before there was this fault.
    SplittableRandom own = new SplittableRandom(plan.untilMicros() + simulation.workers().size());
    if (own.nextInt(6) == 0) {
      long millis = own.nextInt(4) == 0 ? 400_000 : 5_000L + own.nextInt(20_000);
      in(millis(own.nextInt(20_000)), () -> worker.process().cutOffFromQueues(millis));
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
    if (now() + after >= nobodyFrom && now() + after < nobodyUntil) {
      after = nobodyUntil - now();
    }
    if (now() + after < plan.untilMicros() && !plan.deserted()) {
      in(after, () -> join(quiet));
    }
  }

  private long now() {
    return simulation.world().timeline().now();
  }

  private void in(long micros, Runnable what) {
    simulation.world().timeline().in(micros, what);
  }

  private static long millis(long millis) {
    return millis * 1000;
  }
}
