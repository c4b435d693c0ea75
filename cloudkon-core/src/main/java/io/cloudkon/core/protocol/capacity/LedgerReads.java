package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.Optional;

/**
 * Decides when a worker reads which part of the ledger. Used by one thread at a time.
 *
 * <p>The reservation alone is read every {@link CapacitySettings#lookMillis}. A worker that was
 * refused, or has a waiting job, also needs the totals to try again, and reads both often, because
 * they are only two items. The whole ledger is read for sweeping, to decide which job gets the
 * reservation, and for the number of slots of the live workers. It grows with the number of
 * workers, so workers take turns at reading it. A turn takes 1 ms per item, at most 1 s, and a
 * round consists of one turn of each worker, in the order of their ids and by the service's clock,
 * so that workers that start together do not read together. Up to 4 workers need no turns. A worker
 * without a need reads the whole ledger in rounds of 1 s per worker, at least 30 s.
 *
 * <p>So if each worker has a gang and 8 waiting jobs, it reads
 *
 * <ul>
 *   <li>among 4 workers (40 items) the whole ledger every 0.5 s; 8 times a second together;
 *   <li>among 100 workers (1,000 items) the totals every 0.5 s, 200 times a second together; the
 *       whole ledger every 100 s, once a second together;
 *   <li>among 1,000 workers (10,000 items) the totals every 2 s, 500 times a second together; the
 *       whole ledger every 1,000 s, once a second together.
 * </ul>
 *
 * <p>With one waiting job in all, 100 workers have 101 items and rounds of 10 s. Actions that any
 * worker can do for all, such as sweeping and requesting the reservation, thus happen within about
 * a second; facts that each worker determines for itself, such as that a job is too large for the
 * live workers, are known within a round.
 */
final class LedgerReads {
  /** The minimum time between two requested readings, in milliseconds. */
  private static final long AGAIN_MILLIS = 500;

  /** Up to this number, workers never wait for their turns. */
  private static final int FEW_WORKERS = 4;

  private static final long TURN_MILLIS_PER_ITEM = 1;
  private static final long LONGEST_TURN_MILLIS = 1_000;

  private static final long VIEW_SELDOM_MILLIS = 30_000;

  /** The totals are one item, which allows 3,000 reads a second; all workers together make 500. */
  private static final long ROOM_PER_WORKER_MILLIS = 2;

  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final String worker;
  private int workers = 1;

  /** The number of workers whose turns precede this one's in a round. */
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

  /** Requests the totals soon, and the whole ledger at this worker's turn. */
  void want() {
    viewWanted = true;
    roomWanted = true;
  }

  /** Requests the totals soon. */
  void wantRoom() {
    roomWanted = true;
  }

  /**
   * The reading that is due now, if any.
   *
   * @param lookEvery how often the reservation is read, in milliseconds
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
      // Many workers may need it at the same moment, so a worker that missed its turn waits for the
      // next.
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

  /** Records that the whole ledger was read. */
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

  /** Records that the reservation was read, possibly with the totals. */
  void looked() {
    looking = false;
  }

  /** Records that a reading failed; the totals are requested again if they are needed. */
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
