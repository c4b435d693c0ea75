package io.cloudkon.client.report;

import io.cloudkon.core.price.InstanceTypes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The cost of machines for as long as they served a run, by list price on demand. Stateless. */
final class InstanceCosts {
  private static final InstanceTypes TYPES = InstanceTypes.list();

  private InstanceCosts() {}

  /** USD; null if the type's price is unknown, or nothing. */
  static @Nullable Double usd(String type, double seconds) {
    double hourly = TYPES.usdPerHour(type).orElse(0);
    return hourly == 0 ? null : (Double) (hourly * seconds / 3600);
  }

  /** USD of all of them; null if no price is known. */
  static @Nullable Double sum(List<RunReport.Worker> workers) {
    List<Double> known =
        workers.stream().map(RunReport.Worker::instanceUsd).filter(Objects::nonNull).toList();
    return known.isEmpty() ? null : (Double) known.stream().mapToDouble(usd -> usd).sum();
  }
}
