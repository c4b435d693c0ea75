package io.cloudkon.client.plan;

import io.cloudkon.core.price.InstanceTypes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The forecasts for a workload on fleets of several sizes. Immutable.
 *
 * @param load the size of the workload
 * @param question the assumptions
 * @param prices the prices of instances, with their region and date
 * @param times the source of the tasks' durations; empty if the tasks state them
 * @param fleets from the smallest to the largest
 * @param goal the goal; null if there is none
 * @param advice the change that was tried; empty if there was none to try
 */
record WorkloadPlan(
    WorkloadSize load,
    PlanSettings question,
    InstanceTypes prices,
    String times,
    List<Forecast> fleets,
    @Nullable Target goal,
    Optional<Advice> advice) {
  /** Times that differ by less are the same to a reader of the table. */
  private static final double SAME_TIME = 1.01;

  WorkloadPlan {
    fleets = List.copyOf(fleets);
  }

  /**
   * A time limit, and the smallest fleet that meets it.
   *
   * @param seconds the time limit
   * @param fleet the smallest fleet that meets it; empty if none does
   * @param tried if no fleet meets it, the number of workers beyond which more would not help
   */
  record Target(double seconds, Optional<Forecast> fleet, int tried) {}

  /** The cheapest fleet; the smaller one of equals. */
  Forecast cheapest() {
    return best(Comparator.comparingDouble(fleet -> fleet.bill().total()));
  }

  /**
   * The fleet that finishes first; of those that take the same time within 1 %, the cheapest, and
   * the smaller one of equals.
   */
  Forecast fastest() {
    double limit = SAME_TIME * leastSeconds();
    return fleets.stream()
        .filter(fleet -> fleet.makespanSeconds() <= limit)
        .min(Comparator.comparingDouble(fleet -> fleet.bill().total()))
        .orElseThrow();
  }

  private double leastSeconds() {
    return best(Comparator.comparingDouble(Forecast::makespanSeconds)).makespanSeconds();
  }

  /** The smallest fleet that is nearly as fast as the fastest. */
  Forecast enough() {
    double limit = 1.1 * leastSeconds();
    return fleets.stream()
        .filter(fleet -> fleet.makespanSeconds() <= limit)
        .findFirst()
        .orElse(fastest());
  }

  private Forecast best(Comparator<Forecast> order) {
    return fleets.stream().min(order).orElseThrow();
  }
}
