package io.cloudkon.client.status;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.price.Money;
import java.util.List;

/**
 * The hourly cost of workers' machines at list price, as far as their types are known.
 *
 * @param usdPerHour the sum
 * @param atMost whether Spot instances are among them, which cost no more than that
 */
record FleetCost(double usdPerHour, boolean atMost) {
  private static final InstanceTypes TYPES = InstanceTypes.list();

  static FleetCost of(List<WorkerEntry> workers) {
    double usd = 0;
    boolean spot = false;
    for (WorkerEntry worker : workers) {
      double price = TYPES.usdPerHour(worker.origin().type()).orElse(0);
      usd += price;
      spot |= price > 0 && worker.origin().lifeCycle().equals("spot");
    }
    return new FleetCost(usd, spot);
  }

  /** The cost as text, such as {@code ; $0.27 an hour}; empty if it is zero or unknown. */
  String text() {
    return usdPerHour == 0
        ? ""
        : "; %s%s an hour".formatted(atMost ? "at most " : "", Money.text(usdPerHour));
  }
}
