package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.SplittableRandom;

/** Wall clocks that are set ahead, as after a virtual machine was suspended. */
final class ClockLeaps {
  private ClockLeaps() {}

  /** Sets the clock of one worker in six ahead, by up to a minute. */
  static void of(ChaosPlan plan, Simulation simulation, SimWorker worker) {
    // Of its own, so that a seed shows otherwise what it showed before there was this fault.
    SplittableRandom own = new SplittableRandom(~plan.untilMicros() - simulation.workers().size());
    if (own.nextInt(6) == 0) {
      long millis = 1_000L + own.nextInt(60_000);
      long unknown = 100L + own.nextInt(6_000);
      simulation
          .world()
          .timeline()
          .in(own.nextInt(20_000) * 1_000L, () -> worker.process().clockLeaps(millis, unknown));
    }
  }
}
