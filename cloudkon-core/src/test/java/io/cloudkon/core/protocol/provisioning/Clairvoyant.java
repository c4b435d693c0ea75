package io.cloudkon.core.protocol.provisioning;

import java.util.function.LongToDoubleFunction;

/**
 * What a load of teeth with pauses would cost by one who knows it: the cheapest fleet of one size,
 * launched at the best moment of each tooth, that lets no task wait for longer than was promised.
 * It pays the same boots, minimum and idle timeout.
 */
final class Clairvoyant {
  private Clairvoyant() {}

  /**
   * The least cost.
   *
   * @param period seconds from the start of one tooth to the next
   * @param teeth how many there are
   * @param promised milliseconds that a task may wait and run
   */
  static long cost(
      LongToDoubleFunction saw,
      long period,
      int teeth,
      long promised,
      ProvisioningSettings settings) {
    long best = Long.MAX_VALUE;
    for (int workers = 4; workers <= 14; workers++) {
      for (long start = 0; start < period / 2; start += period / 10) {
        for (long growth = 1; growth <= period; growth += period / 3) {
          FleetModel fleet = new FleetModel(1, settings);
          fleet.rate = saw;
          fleet.oracle = wanted(workers, start, growth, period, teeth);
          ModelHistory seen = fleet.run(teeth * period + 1_200);
          if (seen.unfinished.getLast() == 0 && seen.longestWait <= promised) {
            best = Math.min(best, seen.cost());
          }
        }
      }
    }
    return best;
  }

  /** In each tooth, from its start on, it grows to its size; then its workers end themselves. */
  private static LongToDoubleFunction wanted(
      int workers, long start, long growth, long period, int teeth) {
    return second -> {
      long since = second % period - start;
      boolean grows = second < teeth * period && since >= 0 && since <= growth + 5;
      return grows ? Math.ceil(workers * Math.min(1.0, (since + 1.0) / growth)) : 0;
    };
  }
}
