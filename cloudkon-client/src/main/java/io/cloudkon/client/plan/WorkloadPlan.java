package io.cloudkon.client.plan;

import io.cloudkon.core.price.InstanceTypes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload on fleets of several sizes. Immutable.
 *
 * @param load what it asks for
 * @param question what was asked
 * @param prices of instances: where and when they were valid
 * @param times how it is known how long tasks take; empty where they say it themselves
 * @param fleets from the smallest to the largest
 * @param goal what was to be reached; null for nothing
 * @param advice what to change; empty where that would not help
 */
record WorkloadPlan(
    WorkloadSize load,
    PlanSettings question,
    InstanceTypes prices,
    String times,
    List<Forecast> fleets,
    @Nullable Target goal,
    Optional<Advice> advice) {
  WorkloadPlan {
    fleets = List.copyOf(fleets);
  }

  /**
   * A time, and who keeps it.
   *
   * @param seconds the time
   * @param fleet the smallest; empty if none
   * @param tried how many workers were tried, and would be of no more help
   */
  record Target(double seconds, Optional<Forecast> fleet, int tried) {}

  /** The fleet that costs least; the smaller one of equals. */
  Forecast cheapest() {
    return best(Comparator.comparingDouble(fleet -> fleet.bill().total()));
  }

  /** The fleet that is done first; the smaller one of equals. */
  Forecast fastest() {
    return best(Comparator.comparingDouble(Forecast::makespanSeconds));
  }

  /** The smallest fleet that is nearly as fast as the fastest. */
  Forecast enough() {
    double limit = 1.1 * fastest().makespanSeconds();
    return fleets.stream()
        .filter(fleet -> fleet.makespanSeconds() <= limit)
        .findFirst()
        .orElse(fastest());
  }

  private Forecast best(Comparator<Forecast> order) {
    return fleets.stream().min(order).orElseThrow();
  }
}
