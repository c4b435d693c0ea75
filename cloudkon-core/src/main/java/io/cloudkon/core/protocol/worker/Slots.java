package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a worker's slots, and when the next one is likely to be free. */
final class Slots {
  /**
   * Work may take twice its estimate and this much more before nobody can tell, in microseconds.
   */
  private static final double SLACK_MICROS = 5_000;

  /**
   * But however long it was to take, it may be overdue for so long at most, in microseconds: what
   * is received or claimed for its slot waits meanwhile.
   */
  private static final double OVERDUE_MICROS = 1_000_000;

  private final @Nullable Running[] running;
  private int free;
  private int kept;
  private long lastAssigned;

  /**
   * What a slot does.
   *
   * @param several whether it has tasks that it could give back
   */
  private record Running(long since, double micros, boolean several) {}

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
   * Takes a free slot for so many tasks, which are likely to last so long together; NaN if unknown.
   * Gives its number.
   */
  int assign(int tasks, double micros, Moment now) {
    int slot = 0;
    while (running[slot] != null) {
      slot++;
    }
    running[slot] = new Running(now.mono(), micros, tasks > 1);
    free--;
    lastAssigned = now.mono();
    return slot;
  }

  void release(int slot) {
    running[slot] = null;
    free++;
  }

  /** Those that have had several tasks for so many milliseconds; each is named once. */
  List<Integer> takeOverdue(long millis, Moment now) {
    List<Integer> overdue = new ArrayList<>();
    for (int slot = 0; slot < running.length; slot++) {
      Running work = running[slot];
      if (work != null && work.several() && now.mono() - work.since() >= millis) {
        running[slot] = new Running(work.since(), work.micros(), false);
        overdue.add(slot);
      }
    }
    return overdue;
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
    double overdue = Math.min(work.micros(), OVERDUE_MICROS) + SLACK_MICROS;
    boolean known = elapsed <= work.micros() + overdue;
    return known ? Math.max(0, work.micros() - elapsed) : Double.POSITIVE_INFINITY;
  }
}
