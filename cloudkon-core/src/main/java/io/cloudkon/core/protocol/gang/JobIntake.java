package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.OptionalInt;

/** Decides when a manager receives jobs and how many, one call at a time. */
final class JobIntake {
  /**
   * The maximum number of waiting jobs that a worker holds; further ones stay in the queue, where
   * others can receive them.
   */
  private static final int MOST_WAITING = 8;

  /**
   * The maximum number of jobs besides these that have more ranks than the live workers have slots.
   * They wait for new machines, perhaps in vain, and must not keep the jobs behind them away from
   * free slots.
   */
  private static final int MOST_TOO_WIDE = 64;

  /**
   * How long such a job must have waited here, in milliseconds: by then the ledger was read once
   * more, and a fleet that is just starting is not mistaken for a small one.
   */
  private static final long TOO_WIDE_MILLIS = 40_000;

  /** If this many jobs more than it has slots have undelivered results, it takes no further job. */
  private static final int MOST_SETTLING = 100;

  private static final long BACK_OFF_MILLIS = 200;
  private static final int MOST_DOUBLINGS = 5;

  /** How long room for some jobs waits for more room, in milliseconds. */
  private static final long GATHER_MILLIS = 50;

  private static final long NO_ROOM = Long.MAX_VALUE;

  private final int slots;
  private boolean receiving;
  private int failures;
  private long receiveAt = Long.MIN_VALUE / 2;

  /** Since when there has been room for a job, monotonic milliseconds. */
  private long roomSince = NO_ROOM;

  JobIntake(int slots) {
    this.slots = slots;
  }

  /** A receive is under way. */
  boolean receiving() {
    return receiving;
  }

  void received() {
    receiving = false;
    failures = 0;
  }

  void failed(Moment now) {
    receiving = false;
    receiveAt = now.mono() + (BACK_OFF_MILLIS << Math.min(failures++, MOST_DOUBLINGS));
  }

  /**
   * The number of jobs to receive now, if any.
   *
   * @param liveSlots the slots of the live workers; negative while unknown
   */
  OptionalInt next(List<Job> inHand, int liveSlots, Moment now) {
    if (receiving || now.mono() < receiveAt) {
      return OptionalInt.empty();
    }
    int most = slots + Limits.BUNDLES_AHEAD;
    int waiting = 0;
    int tooWide = 0;
    int busy = 0;
    int settling = 0;
    for (Job job : inHand) {
      switch (job.phase()) {
        case WAITING -> {
          if (isTooWide(job, liveSlots, now) && tooWide < MOST_TOO_WIDE) {
            tooWide++;
          } else {
            waiting++;
          }
        }
        case HELD, ADMITTING, PLACED, REJECTING, RUNNING, STOPPING, RETURNING, PASSING_ON -> busy++;
        case SETTLING -> settling++;
        case CLOSED -> {}
      }
    }
    int room = Math.min(most - busy, MOST_WAITING - waiting);
    if (room <= 0 || settling >= slots + MOST_SETTLING) {
      roomSince = NO_ROOM;
      return OptionalInt.empty();
    }
    roomSince = Math.min(roomSince, now.mono());
    // While enough jobs are held, wait to receive several jobs with one call.
    if (2 * (busy + waiting) > most && now.mono() - roomSince < GATHER_MILLIS) {
      return OptionalInt.empty();
    }
    receiving = true;
    roomSince = NO_ROOM;
    return OptionalInt.of(Math.min(room, Limits.BATCH));
  }

  private static boolean isTooWide(Job job, int liveSlots, Moment now) {
    return liveSlots >= 0 && job.ranks > liveSlots && job.waited(now) >= TOO_WIDE_MILLIS;
  }
}
