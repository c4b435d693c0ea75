package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.SimClient;
import io.cloudkon.simulator.engine.CrashPoint;
import java.util.SplittableRandom;

/** Makes clients die, resume, stop past their lease, be cancelled, and lose their queue. */
final class ChaosClients {
  private static final int EFFECTS = 120;

  private final Simulation simulation;
  private final ChaosPlan plan;
  private final SplittableRandom random;

  ChaosClients(Simulation simulation, ChaosPlan plan, SplittableRandom random) {
    this.simulation = simulation;
    this.plan = plan;
    this.random = random;
  }

  void begin() {
    for (int i = 0; i < simulation.runs(); i++) {
      int index = i;
      boolean mortal = random.nextInt(3) > 0;
      follow(index, mortal, simulation.clientWith(index, crash(mortal), plan.clocks(random)));
      if (random.nextInt(5) == 0) {
        in(millis(random.nextInt(40_000)), () -> simulation.removeQueue(index));
      }
      if (random.nextInt(8) == 0) {
        in(millis(random.nextInt(30_000)), () -> simulation.cancel(index));
      }
      if (mortal && random.nextInt(4) == 0) {
        long pause = 1_000L + random.nextInt(60_000);
        boolean withMachine = random.nextBoolean();
        in(
            millis(random.nextInt(40_000)),
            () -> {
              SimClient client = simulation.client(index);
              client.process().pause(pause, withMachine);
              if (random.nextBoolean()) {
                succeed(index, true);
              }
            });
      }
    }
  }

  private void follow(int index, boolean mortal, SimClient client) {
    client
        .process()
        .onStop(() -> {
          long after = millis(random.nextInt(6_000));
          // Necessary even if another client has given up by then: this one may have left its
          // queues.
          simulation.notOverBefore(now() + after + 1);
          in(after, () -> succeed(index, mortal));
        });
  }

  private void succeed(int index, boolean mortal) {
    boolean still = mortal && now() < plan.untilMicros();
    follow(index, still, simulation.resume(index, crash(still), plan.clocks(random)));
  }

  private CrashPoint crash(boolean mortal) {
    if (!mortal || random.nextInt(4) == 0) {
      return CrashPoint.NEVER;
    }
    long pause = random.nextInt(4) == 0 ? 5_000 + random.nextInt(40_000) : 0;
    return new CrashPoint(1 + random.nextInt(EFFECTS), random.nextBoolean(), pause);
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
