package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a worker's slots, and an estimate of when the next one becomes free. */
final class Slots {
  /** Work may take twice its estimate plus this time before its end is unknown, in microseconds. */
  private static final double SLACK_MICROS = 5_000;

  /**
   * The maximum time for which work may be overdue, whatever its estimate, in microseconds, because
   * work that was received or claimed for its slot waits meanwhile.
   */
  private static final double OVERDUE_MICROS = 1_000_000;

  private final @Nullable Running[] running;
  private int free;
  private int kept;

  /**
   * The work of a slot.
   *
   * @param several whether it has tasks that it could give back
   */
  private record Running(long since, double micros, boolean several) {}

  Slots(int count) {
    running = new Running[count];
    free = count;
  }

  /** The number of slots that tasks may use. */
  int count() {
    return running.length - kept;
  }

  /** The number of free slots that tasks may use. */
  int free() {
    return free;
  }

  /** The number of slots that are kept for ranks. */
  int kept() {
    return kept;
  }

  /** Keeps this number of slots for ranks, limited by the free ones. */
  void keep(int slots) {
    free += kept - slots;
    kept = slots;
  }

  /**
   * Takes a free slot for {@code tasks} tasks with an estimated total time; NaN if unknown. Returns
   * its number.
   */
  int assign(int tasks, double micros, Moment now) {
    int slot = 0;
    while (running[slot] != null) {
      slot++;
    }
    running[slot] = new Running(now.mono(), micros, tasks > 1);
    free--;
    return slot;
  }

  void release(int slot) {
    running[slot] = null;
    free++;
  }

  /**
   * The slots that have had several tasks for that many milliseconds; each is returned only once.
   */
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
   * The estimated time until the next slot is free, in microseconds; infinite if all work is
   * overdue or unknown.
   */
  double soon(Moment now) {
    if (free > 0) {
      return 0;
    }
    return after(now, -1);
  }

  /** The number of slots that are free, or will probably be free within that many microseconds. */
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
   * The number of slots whose work was to end at most that many microseconds ago, or is to end at
   * most that many from now.
   */
  int dueWithin(double micros, Moment now) {
    int count = 0;
    for (Running work : running) {
      if (work != null && Math.abs(work.micros() - elapsed(work, now)) <= micros) {
        count++;
      }
    }
    return count;
  }

  /**
   * The estimated time until the next slot is free after that many microseconds; infinite if
   * unknown.
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

  /** The estimated remaining time in microseconds; infinite if it is overdue or unknown. */
  private static double left(Running work, Moment now) {
    double elapsed = elapsed(work, now);
    double overdue = Math.min(work.micros(), OVERDUE_MICROS) + SLACK_MICROS;
    boolean known = elapsed <= work.micros() + overdue;
    return known ? Math.max(0, work.micros() - elapsed) : Double.POSITIVE_INFINITY;
  }

  private static double elapsed(Running work, Moment now) {
    return (now.mono() - work.since()) * 1000.0;
  }
}
