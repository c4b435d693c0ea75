package io.cloudkon.core.protocol.idle;

/**
 * A worker's searches through the seats, each of which tries each seat once. A search begins at the
 * seat that the worker had last, or else at one given by its id, so that workers that are idle at
 * the same time do not all request the same one. Used by one machine.
 */
final class SeatSearch {
  /** Any number; a search begins at this number modulo the number of seats. */
  private int start;

  private int seats;
  private int first;
  private int tried;

  /**
   * A worker that had no seat yet.
   *
   * @param worker its id
   */
  SeatSearch(String worker) {
    this.start = worker.hashCode();
  }

  /** Begins a search. */
  void begin(int throughSeats) {
    seats = throughSeats;
    first = Math.floorMod(start, throughSeats);
    tried = 0;
  }

  /** The seat to try now. */
  int seat() {
    return (first + tried) % seats;
  }

  /** Records that the seat belongs to another worker; returns whether there is a next one. */
  boolean next() {
    tried++;
    return tried < seats;
  }

  /** Records that the worker got this seat. */
  void found(int seat) {
    start = seat;
  }
}
