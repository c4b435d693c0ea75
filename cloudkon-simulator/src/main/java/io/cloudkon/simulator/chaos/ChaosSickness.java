package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.List;
import java.util.SplittableRandom;

/** Makes workers unable to start tasks for a while, several at a time. */
final class ChaosSickness {
  private static final int MOST = 16;
  private static final int WITHIN_MILLIS = 25_000;
  private static final int LONGEST_MILLIS = 10_000;

  private final Simulation simulation;
  private final SplittableRandom random;

  ChaosSickness(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  void begin() {
    int times = 1 + random.nextInt(MOST);
    for (int i = 0; i < times; i++) {
      long at = random.nextInt(WITHIN_MILLIS) * 1_000L;
      int which = random.nextInt(Integer.MAX_VALUE);
      long micros = (1 + random.nextInt(LONGEST_MILLIS)) * 1_000L;
      simulation.world().timeline().in(at, () -> sicken(which, micros));
    }
  }

  /** Makes one of the live workers sick. */
  private void sicken(int which, long micros) {
    List<SimWorker> alive = simulation.workers().stream().filter(w -> !w.left()).toList();
    if (!alive.isEmpty()) {
      alive.get(which % alive.size()).sicken(micros);
    }
  }
}
