package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes workers that no other worker can call, although their own calls work, as behind a firewall
 * or with a wrong address: some for a while, some until the faults end. Uses a random stream of its
 * own, so that each seed keeps its other faults. Half of the seeds have none.
 */
final class ShutDoors {
  private static final int MOST = 3;
  private static final long SECOND = 1_000_000;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final long until;

  /**
   * Schedules nothing yet.
   *
   * @param untilMicros the time from which all doors are open
   */
  ShutDoors(Simulation simulation, long seed, long untilMicros) {
    this.simulation = simulation;
    this.random = new SplittableRandom(seed ^ 0xd0025);
    this.until = untilMicros;
  }

  void begin() {
    if (random.nextBoolean()) {
      return;
    }
    for (int left = 1 + random.nextInt(MOST); left > 0; left--) {
      long from = random.nextBoolean() ? 0 : random.nextLong(until);
      long length = random.nextBoolean() ? until : SECOND + random.nextLong(30 * SECOND);
      int which = random.nextInt(Integer.MAX_VALUE);
      simulation.world().timeline().in(from, () -> shut(which, length));
    }
  }

  private void shut(int which, long micros) {
    List<SimWorker> alive = simulation.workers().stream().filter(w -> !w.left()).toList();
    long left = until - simulation.world().timeline().now();
    if (!alive.isEmpty() && left > 0) {
      simulation
          .world()
          .hpc()
          .wire()
          .shut(alive.get(which % alive.size()).process(), Math.min(micros, left));
    }
  }
}
