package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import java.util.SplittableRandom;

/**
 * Response queues that do not exist for a while, by what the service answers, though they live and
 * hold results. Some come back before a client has given them up, others long after. About half of
 * them come back while no other queue can be made yet, so that moves fail half-way. Draws from
 * randoms of its own, so that the seeds keep their other faults; three runs of four have none.
 */
final class HiddenQueues {
  private static final long SECOND = 1_000_000;

  /** From when on, at the latest. */
  private static final long LATEST = 40 * SECOND;

  /** Shorter than a heartbeat: a client is not to notice. */
  private static final long SHORT = 4 * SECOND;

  /** Shorter than four leases: a client is to read on then. */
  private static final long LONG = 50 * SECOND;

  /** How long other queues cannot be made after the hidden one has come back, at most. */
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
