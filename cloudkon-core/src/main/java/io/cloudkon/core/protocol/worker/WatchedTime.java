package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.time.Moment;

/**
 * Counts the time in which a worker could notice that its slots are free. A process that was not
 * scheduled for a while, or collected garbage, gets the tick first and the news of its slots after
 * it: their tasks look as if they took long. So a gap between two ticks counts as two intervals at
 * most, and nothing is judged at the first late tick. If every tick is late, only the first does
 * not count. Pure; used by one thread at a time.
 */
final class WatchedTime {
  private final long longest;
  private long lastTick;
  private long watched;
  private boolean late;

  /**
   * A worker that has not ticked yet.
   *
   * @param tickMillis the usual interval of ticks in milliseconds
   */
  WatchedTime(long tickMillis) {
    this.longest = 2 * tickMillis;
  }

  /**
   * Handles a tick.
   *
   * @return whether the time that tasks take can be judged at this tick
   */
  boolean tick(Moment now) {
    boolean before = late;
    late = now.mono() - lastTick > longest;
    watched = at(now);
    lastTick = now.mono();
    return !late || before;
  }

  /** The watched time until now in milliseconds, from an arbitrary origin. */
  long at(Moment now) {
    return watched + Math.clamp(now.mono() - lastTick, 0, longest);
  }
}
