package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;

/**
 * Decides when a worker joins the ledger: at once when it starts, and within a lease when it was
 * swept. After an outage longer than a lease the whole fleet is swept, and every join changes the
 * same item. So each worker waits for a part of the lease that its id determines, and workers join
 * one after the other. Pure; used by one thread at a time.
 */
final class Rejoin {
  private final long delay;
  private boolean swept;
  private long at = Long.MIN_VALUE;

  /**
   * A worker that may join at once.
   *
   * @param worker its id
   * @param spreadMillis the time over which the joins of many workers are spread, in milliseconds
   */
  Rejoin(String worker, long spreadMillis) {
    this.delay = Math.floorMod(mixed(worker), spreadMillis);
  }

  /** A hash that spreads similar ids: FNV-1a with the finalizer of MurmurHash3. */
  private static long mixed(String id) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }

  /** Records that the worker was swept. */
  void swept() {
    swept = true;
  }

  /** Whether to join now. */
  boolean due(Moment now) {
    if (swept) {
      swept = false;
      at = now.mono() + delay;
    }
    return now.mono() >= at;
  }
}
