package io.cloudkon.core.protocol.idle;

/**
 * One worker's way through the seats: each once. Workers that are idle at the same time begin at
 * different ones, so that they do not all ask for the same. Used by one machine.
 */
final class SeatSearch {
  private final int seats;
  private final int first;
  private int tried;

  /**
   * Nothing was tried yet.
   *
   * @param start any number: the search begins at the seat that it comes to if one counts around
   */
  SeatSearch(int seats, int start) {
    this.seats = seats;
    this.first = Math.floorMod(start, seats);
  }

  /** Which one to try now. */
  int seat() {
    return (first + tried) % seats;
  }

  /** That one is another's; says whether there is a next one. */
  boolean next() {
    tried++;
    return tried < seats;
  }
}
