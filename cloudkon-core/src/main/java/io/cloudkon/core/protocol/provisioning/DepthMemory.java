package io.cloudkon.core.protocol.provisioning;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;

/**
 * Compares a queue's depth, which may be a minute old, with what collected runs account for.
 * Messages that a run accounted for within that minute may still be included in the depth, so only
 * the excess over the maximum counts. Messages that clients sent since they last wrote their runs
 * are included too early, so while clients are active only a lasting excess counts. Not thread
 * safe.
 */
final class DepthMemory {
  /** The maximum age of a depth. */
  static final long STALE_MILLIS = 60_000;

  /** The time of three reports of a client. */
  static final long LASTING_MILLIS = 15_000;

  private record Reading(long at, long depth, Map<String, Long> known) {
    long knownBut(Set<String> runs) {
      return known.entrySet().stream()
          .filter(run -> !runs.contains(run.getKey()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  private final Deque<Reading> readings = new ArrayDeque<>();
  private Set<String> left = Set.of();
  private long begun = Long.MIN_VALUE;

  /**
   * Adds a reading.
   *
   * @param at the time by the service's clock
   * @param depth the number of messages in the queue
   * @param known how many of them each collected run accounts for
   * @param gone the runs that are no longer collected, for which the depth is used from now on
   */
  void add(long at, long depth, Map<String, Long> known, Set<String> gone) {
    if (begun == Long.MIN_VALUE) {
      begun = at;
    }
    left = Set.copyOf(gone);
    readings.removeIf(old -> at - old.at() > STALE_MILLIS || old.at() > at);
    readings.addLast(new Reading(at, depth, Map.copyOf(known)));
  }

  /** The number of messages beyond those accounted for within the last minute. */
  long excess() {
    return readings.isEmpty() ? 0 : excess(readings.getLast().depth());
  }

  /** The part of the excess that has lasted. */
  long lastingExcess() {
    if (readings.isEmpty() || readings.getLast().at() - begun < LASTING_MILLIS) {
      return 0;
    }
    long now = readings.getLast().at();
    return excess(
        readings.stream()
            .filter(reading -> now - reading.at() <= LASTING_MILLIS)
            .mapToLong(Reading::depth)
            .min()
            .orElse(0));
  }

  /** Whether it covers the maximum age of a depth. */
  boolean full() {
    return !readings.isEmpty() && readings.getLast().at() - begun >= STALE_MILLIS;
  }

  private long excess(long depth) {
    long known = readings.stream().mapToLong(reading -> reading.knownBut(left)).max().orElse(0);
    return Math.max(0, depth - known);
  }
}
