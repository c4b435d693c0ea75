package io.cloudkon.core.protocol.provisioning;

import java.util.function.LongToDoubleFunction;

/**
 * What a load of teeth with pauses would cost by one who knows it: the cheapest fleet of one size,
 * launched at the best moment of each tooth, that lets no task wait for longer than was promised.
 * It pays the same boots, minimum and idle timeout.
 */
final class Clairvoyant {
  private Clairvoyant() {}

  static long cost(
      LongToDoubleFunction saw, long tooth, long promised, ProvisioningSettings settings) {
    long best = Long.MAX_VALUE;
    for (int workers = 1; workers <= 20; workers++) {
      for (long start = 0; start < tooth; start += tooth / 10) {
        best = Math.min(best, cost(saw, tooth, promised, settings, workers, start / 5 * 5));
      }
    }
    return best;
  }

  private static long cost(
      LongToDoubleFunction saw,
      long tooth,
      long promised,
      ProvisioningSettings settings,
      int workers,
      long start) {
    FleetModel fleet = new FleetModel(1, settings);
    fleet.rate = saw;
    fleet.oracle = second -> second < 8 * tooth && second % (2 * tooth) == start ? workers : 0;
    ModelHistory seen = fleet.run(8 * tooth + 1_200);
    boolean kept = seen.unfinished.getLast() == 0 && seen.longestWait <= promised;
    return kept ? seen.cost() : Long.MAX_VALUE;
  }
}
