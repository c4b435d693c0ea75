package io.cloudkon.client.report;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Estimates how far each worker's clock is ahead of the client's, as NTP does: a bundle left the
 * client at t1 and reached the worker at t2, its results left the worker at t3 and reached the
 * client at t4, so the offset lies between t3 - t4 and t2 - t1. NTP uses the exchange with the
 * least round trip. The least delay of each direction, taken separately, is at least as good,
 * because queues delay the two directions independently. Thread safe; needs a few words of memory
 * per worker.
 *
 * <p>The estimate is the middle of that interval if the interval is narrow. For a worker that
 * joined when the queue was long, the interval is wide on one side, and its middle would be wrong
 * by half the backlog. The estimate is then the value in the interval that is nearest to 0, because
 * most machines synchronize their clocks.
 */
public final class ClockOffsets {
  /** The maximum width of an interval whose middle is used, in microseconds. */
  static final long NARROW_MICROS = 20_000;

  private final ConcurrentMap<String, Bounds> workers = new ConcurrentHashMap<>();

  private record Bounds(long least, long most) {
    Bounds and(Bounds other) {
      return new Bounds(Math.max(least, other.least), Math.min(most, other.most));
    }

    long estimate() {
      // If clocks drift during a long run, the bounds may cross; the middle is then the best
      // estimate.
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
   * @return the current estimate: the worker's clock minus the client's, in microseconds
   */
  public long observe(
      String worker, long sendBegun, long received, long replyBegun, long collected) {
    Bounds seen =
        new Bounds(
            replyBegun - collected, sendBegun == 0 ? Long.MAX_VALUE / 2 : received - sendBegun);
    return workers.merge(worker, seen, Bounds::and).estimate();
  }
}
