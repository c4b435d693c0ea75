package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import java.util.SplittableRandom;

/**
 * Makes the service claim for a while that response queues do not exist, although they live and
 * hold results. Some come back before a client has given them up, others long after. About half of
 * them come back while no other queue can be created yet, so that moves fail half-way. Uses random
 * streams of its own, so that each seed keeps its other faults. Three of four runs have none.
 */
final class HiddenQueues {
  private static final long SECOND = 1_000_000;

  /** The latest start. */
  private static final long LATEST = 40 * SECOND;

  /** Shorter than a heartbeat, so that a client does not notice. */
  private static final long SHORT = 4 * SECOND;

  /** Shorter than four leases, so that a client continues to read. */
  private static final long LONG = 50 * SECOND;

  /** The maximum time for which other queues cannot be created after the hidden one came back. */
  private static final long AFTER = 40 * SECOND;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final SplittableRandom creates;

  HiddenQueues(Simulation simulation, long seed) {
    this.simulation = simulation;
    this.random = new SplittableRandom(seed ^ 0x41dde2);
    this.creates = new SplittableRandom(seed ^ 0xc3ea7e);
  }

  void begin() {
    for (int i = 0; i < simulation.runs(); i++) {
      int index = i;
      if (random.nextInt(4) == 0) {
        for (int times = 1 + random.nextInt(2); times > 0; times--) {
          long from = random.nextLong(LATEST);
          long length = SECOND + random.nextLong(random.nextBoolean() ? SHORT : LONG - SECOND);
          simulation.world().timeline().in(from, () -> simulation.hideQueue(index, length));
          disturbCreates(from, length);
        }
      }
    }
  }

  private void disturbCreates(long from, long hidden) {
    if (creates.nextBoolean()) {
      long length = hidden + creates.nextLong(AFTER);
      boolean made = creates.nextBoolean();
      simulation
          .world()
          .timeline()
          .in(from, () -> simulation.world().cloud().disturbCreates(length, made));
    }
  }
}
