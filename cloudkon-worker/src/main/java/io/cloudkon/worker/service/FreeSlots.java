package io.cloudkon.worker.service;

/**
 * How many slots of a worker run nothing. While there are none, results and deletions wait for a
 * moment for others, so that a call carries several: more are sure to come, and no slot is empty
 * meanwhile. Where a slot is free, nothing waits. Thread safe; one thread sets it.
 */
final class FreeSlots {
  /** As long as a person does not notice. */
  private static final long GATHER_MILLIS = 50;

  private volatile int count;

  /** How many there are. */
  int now() {
    return count;
  }

  /** Sets how many there are; gives how many there were. */
  int set(int free) {
    int before = count;
    if (before != free) {
      count = free;
    }
    return before;
  }

  /** How long what is to be sent may wait for more now, in milliseconds. */
  long gatherMillis() {
    return count == 0 ? GATHER_MILLIS : 0;
  }
}
