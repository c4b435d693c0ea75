package io.cloudkon.core.protocol.gang;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The gangs of which a sub-worker has ranks, or asks for some. */
final class Seats {
  private final Map<String, Seat> byGang = new LinkedHashMap<>();

  /** Null if it has nothing of that gang. */
  @Nullable Seat find(String gang) {
    return byGang.get(gang);
  }

  /** The seat of that gang; a new one if there is none. */
  Seat of(String gang, String job) {
    return byGang.computeIfAbsent(gang, id -> new Seat(id, job));
  }

  boolean has(Seat seat) {
    return byGang.get(seat.gang) == seat;
  }

  void remove(Seat seat) {
    byGang.remove(seat.gang);
  }

  /** All of them, of which some may be removed meanwhile. */
  List<Seat> copy() {
    return List.copyOf(byGang.values());
  }

  boolean isEmpty() {
    return byGang.isEmpty();
  }

  /** Slots that ranks have, or have in hand while they are asked for. */
  int slots() {
    return byGang.values().stream().mapToInt(Seat::slots).sum();
  }

  /** The same of gangs that form for one job. */
  int slotsFor(String job) {
    return byGang.values().stream()
        .filter(seat -> seat.job.equals(job))
        .mapToInt(Seat::slots)
        .sum();
  }

  /** Ranks that are this worker's. */
  int ranks() {
    return byGang.values().stream().mapToInt(seat -> seat.ranks.size()).sum();
  }

  @Override
  public String toString() {
    return byGang.values().toString();
  }
}
