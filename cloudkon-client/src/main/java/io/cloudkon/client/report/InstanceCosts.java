package io.cloudkon.client.report;

import io.cloudkon.core.price.InstanceTypes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the cost of machines while they served a run, at the on-demand list price. Stateless.
 */
final class InstanceCosts {
  private static final InstanceTypes TYPES = InstanceTypes.list();

  private InstanceCosts() {}

  /** The cost in US dollars; null if the type's price is unknown or zero. */
  static @Nullable Double usd(String type, double seconds) {
    double hourly = TYPES.usdPerHour(type).orElse(0);
    return hourly == 0 ? null : (Double) (hourly * seconds / 3600);
  }

  /** The total in US dollars; null if no price is known. */
  static @Nullable Double sum(List<RunReport.Worker> workers) {
    List<Double> known =
        workers.stream().map(RunReport.Worker::instanceUsd).filter(Objects::nonNull).toList();
    return known.isEmpty() ? null : (Double) known.stream().mapToDouble(usd -> usd).sum();
  }
}
