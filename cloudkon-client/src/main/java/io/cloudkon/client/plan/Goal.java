package io.cloudkon.client.plan;

import java.util.Optional;

/** Finds the smallest fleet that finishes in time. Stateless. */
final class Goal {
  /** The size of the largest fleet that is tried. */
  static final int MOST_WORKERS = 16_384;

  /** The relative precision of the answer, which is limited because each step is a simulation. */
  private static final double PRECISION = 0.02;

  /** The search ends if twice the workers take more than this share of the time, twice in a row. */
  private static final double HELPS = 0.98;

  private Goal() {}

  /**
   * The smallest fleet, up to {@link #MOST_WORKERS}.
   *
   * @param seconds the time limit
   */
  static WorkloadPlan.Target reach(Forecaster fleets, double seconds) {
    WorkloadSize load = fleets.load();
    double slotSeconds = seconds * fleets.question().instance().slots();
    double least = Math.max(1, Math.ceil(load.workSeconds() / slotSeconds));
    if (load.longestSeconds() > seconds || least > MOST_WORKERS) {
      return new WorkloadPlan.Target(seconds, Optional.empty(), MOST_WORKERS);
    }
    int low = (int) least - 1;
    Forecast high = fleets.of(low + 1);
    int stuck = 0;
    while (high.makespanSeconds() > seconds) {
      int next = Math.min(MOST_WORKERS, 2 * high.workers());
      if (next == high.workers() || stuck == 2) {
        return new WorkloadPlan.Target(seconds, Optional.empty(), high.workers());
      }
      low = high.workers();
      Forecast more = fleets.of(next);
      stuck = more.makespanSeconds() > HELPS * high.makespanSeconds() ? stuck + 1 : 0;
      high = more;
    }
    while (high.workers() - low > Math.max(1, PRECISION * high.workers())) {
      Forecast middle = fleets.of((low + high.workers()) / 2);
      if (middle.makespanSeconds() <= seconds) {
        high = middle;
      } else {
        low = middle.workers();
      }
    }
    return new WorkloadPlan.Target(seconds, Optional.of(high), high.workers());
  }
}
