package io.cloudkon.core.faults;

import io.cloudkon.core.testing.ManualTime;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * What is still to happen, by virtual time; what falls on the same millisecond comes in seeded
 * order.
 */
final class Agenda {
  private record Entry(long at, long rank, Runnable what) {}

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::rank));
  private final ManualTime time;
  private final SplittableRandom random;
  private long now;

  Agenda(ManualTime time, long seed) {
    this.time = time;
    this.random = new SplittableRandom(seed);
  }

  /** Milliseconds since the begin. */
  long now() {
    return now;
  }

  /** Puts something on the agenda. */
  void in(long millis, Runnable what) {
    entries.add(new Entry(now + millis, random.nextLong(), what));
  }

  /** Lets the next thing happen; time jumps there. */
  void step() {
    Entry next = entries.remove();
    time.advanceMillis(next.at() - now);
    now = next.at();
    next.what().run();
  }
}
