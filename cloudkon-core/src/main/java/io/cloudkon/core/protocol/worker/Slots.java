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
  private long lastAssigned;

  private record Running(long since, double micros) {}

  Slots(int count) {
    running = new Running[count];
    free = count;
  }

  int count() {
    return running.length;
  }

  int free() {
    return free;
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
    double soonest = Double.POSITIVE_INFINITY;
    for (Running work : running) {
      if (work == null || Double.isNaN(work.micros())) {
        continue;
      }
      double elapsed = (now.mono() - work.since()) * 1000.0;
      if (elapsed <= 2 * work.micros() + SLACK_MICROS) {
        soonest = Math.min(soonest, Math.max(0, work.micros() - elapsed));
      }
    }
    return soonest;
  }
}
