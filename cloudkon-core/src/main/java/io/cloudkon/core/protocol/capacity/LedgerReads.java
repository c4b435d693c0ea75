package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.Optional;

/**
 * Decides when one worker reads how much of the ledger. Used by one thread at a time.
 *
 * <p>The reservation alone is read every {@link CapacitySettings#lookMillis}. Whoever was refused,
 * or has a job that waits, needs the sums besides to try again, and reads both often: they are two
 * items. All of it is read for sweeping, for whose turn it is to get the reservation, and for how
 * many slots live workers have. It grows with the workers, so it is read by turns: a turn takes 1
 * ms for each item, 1 s at most, and a round is one turn of each worker, in the order of their ids,
 * by the service's clock: who start together do not read together. Up to 4 workers do without.
 * Whoever wants nothing reads all of it in rounds of 1 s for each worker, 30 s at least.
 *
 * <p>So if each worker has a gang and 8 jobs that wait, it reads
 *
 * <ul>
 *   <li>among 4 (40 items) all of it every 0.5 s; 8 times a second together;
 *   <li>among 100 (1,000 items) the sums every 0.5 s, 200 times a second together; all of it every
 *       100 s, once a second together;
 *   <li>among 1,000 (10,000 items) the sums every 2 s, 500 times a second together; all of it every
 *       1,000 s, once a second together.
 * </ul>
 *
 * <p>With one waiting job in all, 100 workers have 101 items and rounds of 10 s. What any worker
 * may do for all, as sweeping and asking for the reservation, is thus done within about a second;
 * what each finds out for itself, as that a job is too large for the live workers, within a round.
 */
final class LedgerReads {
  /** What is wanted is read at once, but no more often than this, in milliseconds. */
  private static final long AGAIN_MILLIS = 500;

  /** So many workers never wait for their turns. */
  private static final int FEW_WORKERS = 4;

  private static final long TURN_MILLIS_PER_ITEM = 1;
  private static final long LONGEST_TURN_MILLIS = 1_000;

  private static final long VIEW_SELDOM_MILLIS = 30_000;

  /** The sums are one item, which takes 3,000 reads a second: all workers together make 500. */
  private static final long ROOM_PER_WORKER_MILLIS = 2;

  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final String worker;
  private int workers = 1;

  /** How many workers' turns come before this one's in a round. */
  private int before;

  private int items;
  private boolean viewing;
  private boolean looking;
  private boolean viewWanted = true;
  private boolean roomWanted;
  private long viewedAt = LONG_AGO;
  private long roomAt = LONG_AGO;
  private long lookedAt = LONG_AGO;
  private long wantedTurn = LONG_AGO;
  private long seldomTurn = LONG_AGO;

  LedgerReads(String worker) {
    this.worker = worker;
  }

  /** The sums are to be read soon, and all of it at this worker's turn. */
  void want() {
    viewWanted = true;
    roomWanted = true;
  }

  /** The sums are to be read soon. */
  void wantRoom() {
    roomWanted = true;
  }

  /**
   * What is to be read now, if anything.
   *
   * @param lookEvery how often the reservation is, in milliseconds
   */
  Optional<CapacityEffect> next(Moment now, long lookEvery) {
    long mono = now.mono();
    if (viewing) {
      return Optional.empty();
    }
    if (mono >= seldomTurn || (viewWanted && mono >= wantedTurn)) {
      viewing = true;
      viewWanted = false;
      roomWanted = false;
      viewedAt = mono;
      roomAt = mono;
      lookedAt = mono;
      plan(now);
      return Optional.of(new CapacityEffect.View());
    }
    if (mono >= wantedTurn) {
      // Many may want it at the same moment: who let a turn pass waits for the next.
      wantedTurn = wantedTurn(now);
    }
    if (looking) {
      return Optional.empty();
    }
    if (roomWanted && mono - roomAt >= Math.max(AGAIN_MILLIS, ROOM_PER_WORKER_MILLIS * workers)) {
      looking = true;
      roomWanted = false;
      roomAt = mono;
      lookedAt = mono;
      return Optional.of(new CapacityEffect.LookForRoom());
    }
    if (mono - lookedAt >= lookEvery) {
      looking = true;
      lookedAt = mono;
      return Optional.of(new CapacityEffect.Look());
    }
    return Optional.empty();
  }

  /** All of it was read. */
  void viewed(LedgerView view, Moment now) {
    viewing = false;
    before = 0;
    workers = 1;
    for (Share share : view.shares()) {
      if (share.kind() == Share.Kind.WORKER && !share.id().equals(worker)) {
        workers++;
        before += share.id().compareTo(worker) < 0 ? 1 : 0;
      }
    }
    items = view.shares().size() + view.waiting().size();
    plan(now);
  }

  /** The reservation was read, or the sums with it. */
  void looked() {
    looking = false;
  }

  /** Something could not be read: the sums are wanted again by whoever needs them. */
  void failed() {
    viewWanted |= viewing;
    viewing = false;
    looking = false;
  }

  private void plan(Moment now) {
    wantedTurn = wantedTurn(now);
    seldomTurn = turn(now, VIEW_SELDOM_MILLIS, workers * LONGEST_TURN_MILLIS);
  }

  private long wantedTurn(Moment now) {
    long turn = Math.min(LONGEST_TURN_MILLIS, TURN_MILLIS_PER_ITEM * items);
    return turn(now, AGAIN_MILLIS, workers <= FEW_WORKERS ? 0 : workers * turn);
  }

  /** This worker's next turn in rounds of this length; monotonic milliseconds. */
  private long turn(Moment now, long least, long round) {
    if (round <= least) {
      return viewedAt + least;
    }
    long next = now.mono() + Math.floorMod(round * before / workers - now.service(), round);
    return next < viewedAt + least ? next + round : next;
  }
}
