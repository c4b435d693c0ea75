package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** What a worker's slots do, and when the next one is likely to be free. */
final class Slots {
  /**
   * A task may take this much longer than twice its estimate before nobody can tell, in
   * microseconds.
   */
  private static final double SLACK_MICROS = 5_000;

  private final @Nullable Running[] running;
  private int free;
  private int kept;
  private long lastAssigned;

  private record Running(long since, double micros) {}

  Slots(int count) {
    running = new Running[count];
    free = count;
  }

  /** Those that tasks may have. */
  int count() {
    return running.length - kept;
  }

  /** Those that run nothing, and that tasks may have. */
  int free() {
    return free;
  }

  /** Those that are kept for ranks. */
  int kept() {
    return kept;
  }

  /** Keeps so many for ranks; as many more as are free at most. */
  void keep(int slots) {
    free += kept - slots;
    kept = slots;
  }

  /** When a slot was given work last; milliseconds of the monotonic clock. */
  long lastAssigned() {
    return lastAssigned;
  }

  /**
   * Takes a free slot for work that is likely to last so long; NaN if unknown. Gives its number.
   */
  int assign(double micros, Moment now) {
    int slot = 0;
    while (running[slot] != null) {
      slot++;
    }
    running[slot] = new Running(now.mono(), micros);
    free--;
    lastAssigned = now.mono();
    return slot;
  }

  void release(int slot) {
    running[slot] = null;
    free++;
  }

  /**
   * Until the next one is likely to be free, in microseconds; infinite where what runs is overdue
   * or unknown.
   */
  double soon(Moment now) {
    if (free > 0) {
      return 0;
    }
    return after(now, -1);
  }

  /** Slots that are likely to be free within so many microseconds, or are. */
  int freeWithin(double micros, Moment now) {
    int count = free;
    for (Running work : running) {
      if (work != null && left(work, now) <= micros) {
        count++;
      }
    }
    return count;
  }

  /**
   * Until the next one is likely to be free of those that are not within so many microseconds;
   * infinite if nobody can tell.
   */
  double after(Moment now, double micros) {
    double soonest = Double.POSITIVE_INFINITY;
    for (Running work : running) {
      if (work != null) {
        double left = left(work, now);
        if (left > micros) {
          soonest = Math.min(soonest, left);
        }
      }
    }
    return soonest;
  }

  /** Until it is likely to end, in microseconds; infinite where it is overdue or unknown. */
  private static double left(Running work, Moment now) {
    double elapsed = (now.mono() - work.since()) * 1000.0;
    boolean known = elapsed <= 2 * work.micros() + SLACK_MICROS;
    return known ? Math.max(0, work.micros() - elapsed) : Double.POSITIVE_INFINITY;
  }
}
