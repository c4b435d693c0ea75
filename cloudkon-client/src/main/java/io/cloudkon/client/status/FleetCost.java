package io.cloudkon.client.status;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.price.Money;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The hourly cost of workers' machines at list price. Machines without a type, which somebody owns,
 * cost nothing.
 *
 * @param usdPerHour the sum over the machines whose price is known
 * @param atMost whether Spot instances are among them, which cost no more than that
 * @param unpriced the number of machines whose type is not in the price list
 * @param unpricedTypes the types of these
 */
record FleetCost(
    double usdPerHour, boolean atMost, long unpriced, SortedSet<String> unpricedTypes) {
  private static final InstanceTypes TYPES = InstanceTypes.list();

  static FleetCost of(List<WorkerEntry> workers) {
    double usd = 0;
    boolean spot = false;
    long unpriced = 0;
    SortedSet<String> unpricedTypes = new TreeSet<>();
    for (WorkerEntry worker : workers) {
      String type = worker.origin().type();
      OptionalDouble known = TYPES.usdPerHour(type);
      double price = known.orElse(0);
      usd += price;
      if (known.isEmpty() && !type.isEmpty()) {
        unpriced++;
        unpricedTypes.add(type);
      }
      spot |= price > 0 && worker.origin().lifeCycle().equals("spot");
    }
    return new FleetCost(usd, spot, unpriced, unpricedTypes);
  }

  /**
   * The cost as text, such as {@code ; $0.27 an hour}, and how many machines are missing from it;
   * empty if there is no cost.
   */
  String text() {
    String known =
        usdPerHour == 0
            ? ""
            : "; %s%s an hour".formatted(atMost ? "at most " : "", Money.text(usdPerHour));
    if (unpriced == 0) {
      return known;
    }
    String types = String.join(", ", unpricedTypes);
    return known.isEmpty()
        ? "; the price of %s is not known".formatted(types)
        : "%s without %s of type %s, whose price is not known"
            .formatted(known, Say.count(unpriced, "worker"), types);
  }
}
