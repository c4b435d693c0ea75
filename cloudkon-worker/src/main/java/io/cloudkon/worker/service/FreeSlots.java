package io.cloudkon.worker.service;

/**
 * The number of free slots of a worker. While there are none, results and deletions wait briefly
 * for others, so that one call carries several: more are sure to come, and no slot is idle
 * meanwhile. While a slot is free, nothing waits. Thread safe; one thread sets it.
 */
final class FreeSlots {
  /** Short enough not to be noticed by a person. */
  private static final long GATHER_MILLIS = 50;

  private volatile int count;
  private volatile int soon;

  /** The number of free slots. */
  int now() {
    return count;
  }

  /** The number of slots that run a task and will probably be free in a moment. */
  int soon() {
    return soon;
  }

  /** Sets the number of free slots and returns the previous one. */
  int set(int free) {
    int before = count;
    if (before != free) {
      count = free;
    }
    return before;
  }

  /** Sets the number of slots that run a task and will probably be free in a moment. */
  void expect(int slots) {
    if (soon != slots) {
      soon = slots;
    }
  }

  /** How long outgoing results and deletions may wait for others now, in milliseconds. */
  long gatherMillis() {
    return count == 0 ? GATHER_MILLIS : 0;
  }
}
