package io.cloudkon.core.protocol.gang;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The gangs of which a sub-worker has or requests ranks. */
final class Seats {
  private final Map<String, Seat> byGang = new LinkedHashMap<>();

  /** The seat in that gang; null if there is none. */
  @Nullable Seat find(String gang) {
    return byGang.get(gang);
  }

  /** The seat in that gang, created if there is none. */
  Seat of(String gang, String job) {
    return byGang.computeIfAbsent(gang, id -> new Seat(id, job));
  }

  boolean has(Seat seat) {
    return byGang.get(seat.gang) == seat;
  }

  void remove(Seat seat) {
    byGang.remove(seat.gang);
  }

  /** A copy of all seats, during whose iteration seats may be removed. */
  List<Seat> copy() {
    return List.copyOf(byGang.values());
  }

  boolean isEmpty() {
    return byGang.isEmpty();
  }

  /** The number of slots that are used by ranks or held for requested ranks. */
  int slots() {
    return byGang.values().stream().mapToInt(Seat::slots).sum();
  }

  /** The number of such slots for gangs of one job. */
  int slotsFor(String job) {
    return byGang.values().stream()
        .filter(seat -> seat.job.equals(job))
        .mapToInt(Seat::slots)
        .sum();
  }

  /** The number of ranks that belong to this worker. */
  int ranks() {
    return byGang.values().stream().mapToInt(seat -> seat.ranks.size()).sum();
  }

  @Override
  public String toString() {
    return byGang.values().toString();
  }
}
