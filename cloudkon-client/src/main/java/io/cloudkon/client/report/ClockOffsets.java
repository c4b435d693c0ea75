package io.cloudkon.client.report;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How far each worker's clock is ahead of the client's, as NTP estimates it: a bundle left here at
 * t1 and came there at t2, its results left there at t3 and came here at t4, so the offset lies
 * between t3 - t4 and t2 - t1. The exchange with the least round trip says most; the least of
 * either direction, taken separately, says no less, and queues delay the two directions
 * independently. Thread safe; a few words per worker.
 *
 * <p>The middle of that interval is the estimate as long as the interval is narrow. A worker that
 * joined when the queue was long leaves it wide on one side, and its middle would be wrong by half
 * the backlog: then the estimate is the value nearest to 0 that the interval admits, since machines
 * mostly do set their clocks.
 */
public final class ClockOffsets {
  /** How wide the interval may be for its middle to be believed, in microseconds. */
  static final long NARROW_MICROS = 20_000;

  private final ConcurrentMap<String, Bounds> workers = new ConcurrentHashMap<>();

  private record Bounds(long least, long most) {
    Bounds and(Bounds other) {
      return new Bounds(Math.max(least, other.least), Math.min(most, other.most));
    }

    long estimate() {
      // Clocks that drift during a long run may contradict themselves; the middle is the best there
      // is.
      if (most - least <= NARROW_MICROS) {
        return least + Math.floorDiv(most - least, 2);
      }
      return Math.clamp(0L, least, most);
    }
  }

  /**
   * Takes one exchange with a worker into account.
   *
   * @param worker the worker's id
   * @param sendBegun client's clock, epoch microseconds; 0 if it is not known
   * @param received worker's clock
   * @param replyBegun worker's clock
   * @param collected client's clock
   * @return the estimate as it is now: the worker's clock minus the client's, in microseconds
   */
  public long observe(
      String worker, long sendBegun, long received, long replyBegun, long collected) {
    Bounds seen =
        new Bounds(
            replyBegun - collected, sendBegun == 0 ? Long.MAX_VALUE / 2 : received - sendBegun);
    return workers.merge(worker, seen, Bounds::and).estimate();
  }

  /** The worker's clock minus the client's, in microseconds; 0 for a worker not seen yet. */
  public long micros(String worker) {
    Bounds bounds = workers.get(worker);
    return bounds == null ? 0 : bounds.estimate();
  }
}
