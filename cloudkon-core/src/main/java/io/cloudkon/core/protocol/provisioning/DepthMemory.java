package io.cloudkon.core.protocol.provisioning;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;

/**
 * Compares a queue's depth, which may be a minute old, with what collected runs account for.
 * Messages that a run accounted for within that minute may still be in the depth, so only what
 * exceeds the most of it counts; and what clients sent since they last wrote their runs is in the
 * depth too soon, so with clients about only an excess that lasts is sure. Not thread safe.
 */
final class DepthMemory {
  /** How old a depth may be. */
  static final long STALE_MILLIS = 60_000;

  /** Three of a client's reports. */
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
   * A look.
   *
   * @param at this moment of the service's clock
   * @param depth messages in the queue
   * @param known how many of them each collected run accounts for
   * @param gone runs that nobody collects any more: the depth speaks for them from now on
   */
  void add(long at, long depth, Map<String, Long> known, Set<String> gone) {
    if (begun == Long.MIN_VALUE) {
      begun = at;
    }
    left = Set.copyOf(gone);
    readings.removeIf(old -> at - old.at() > STALE_MILLIS || old.at() > at);
    readings.addLast(new Reading(at, depth, Map.copyOf(known)));
  }

  /** Messages beyond what was accounted for within the last minute. */
  long excess() {
    return readings.isEmpty() ? 0 : excess(readings.getLast().depth());
  }

  /** The same, as far as it was there all the time lately. */
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

  /** Whether it goes back as far as a depth may. */
  boolean full() {
    return !readings.isEmpty() && readings.getLast().at() - begun >= STALE_MILLIS;
  }

  private long excess(long depth) {
    long known = readings.stream().mapToLong(reading -> reading.knownBut(left)).max().orElse(0);
    return Math.max(0, depth - known);
  }
}
