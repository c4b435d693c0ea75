package io.cloudkon.core.protocol.idle;

/**
 * A worker's search through the seats, which tries each seat once. Workers that are idle at the
 * same time begin at different seats, so that they do not all request the same one. Used by one
 * machine.
 */
final class SeatSearch {
  private final int seats;
  private final int first;
  private int tried;

  /**
   * A new search.
   *
   * @param start any number; the search begins at this number modulo the number of seats
   */
  SeatSearch(int seats, int start) {
    this.seats = seats;
    this.first = Math.floorMod(start, seats);
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
}
