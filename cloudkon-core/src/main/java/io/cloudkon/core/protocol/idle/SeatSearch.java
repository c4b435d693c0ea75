package io.cloudkon.core.protocol.idle;

/** One worker's way through the seats: each once, from one of its own on. Used by one machine. */
final class SeatSearch {
  private final int seats;
  private final int first;
  private int tried;

  /**
   * Nothing was tried yet.
   *
   * @param worker its id says where it begins
   */
  SeatSearch(int seats, String worker) {
    this.seats = seats;
    this.first = Math.floorMod(worker.hashCode(), seats);
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
