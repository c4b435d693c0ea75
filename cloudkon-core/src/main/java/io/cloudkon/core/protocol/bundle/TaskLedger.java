package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import java.util.BitSet;

/**
 * The state of each task of one bundle, by position: pending -> running -> finished -> sending ->
 * accepted. A task that is accepted, or handed to a child, is settled.
 */
final class TaskLedger {
  private static final int COUNT = -1;

  private final BitSet pending = new BitSet();

  /** The number of pending tasks; {@link #COUNT} after a change. */
  private int pendingCount;

  /** The pending tasks that are taken last. */
  private final BitSet last = new BitSet();

  private final BitSet running = new BitSet();
  private final BitSet finished = new BitSet();
  private final BitSet lost = new BitSet();
  private final BitSet reportedLost = new BitSet();
  private final BitSet sending = new BitSet();

  /** Makes these tasks pending. */
  void run(Positions tasks) {
    addPending(tasks.toBits());
  }

  /** Defers these tasks until no other is pending. */
  void takeLast(Positions tasks) {
    last.or(tasks.toBits());
  }

  /** Marks tasks to be reported as lost or failed without having run here. */
  void lose(Positions tasks) {
    running.andNot(tasks.toBits());
    lost.or(tasks.toBits());
    reportedLost.or(tasks.toBits());
  }

  /** Takes up to {@code max} of the allowed pending tasks. */
  Positions take(int max, Positions allowed) {
    BitSet taken = new BitSet();
    int left = max;
    for (int i = pending.nextSetBit(0); i >= 0 && left > 0; i = pending.nextSetBit(i + 1)) {
      if (allowed.contains(i)) {
        taken.set(i);
        left--;
      }
    }
    return start(taken);
  }

  /** The next of the allowed pending tasks; an empty set if there is none. */
  Positions next(Positions allowed) {
    BitSet candidates = allowed.toBits();
    candidates.and(pending);
    BitSet first = (BitSet) candidates.clone();
    first.andNot(last);
    int next = (first.isEmpty() ? candidates : first).nextSetBit(0);
    return next < 0 ? Positions.none() : Positions.of(next);
  }

  /** Takes the first {@code max} pending tasks. */
  Positions take(int max) {
    BitSet taken = new BitSet();
    int left = max;
    for (int i = pending.nextSetBit(0); i >= 0 && left > 0; i = pending.nextSetBit(i + 1)) {
      taken.set(i);
      left--;
    }
    return start(taken);
  }

  private Positions start(BitSet taken) {
    removePending(taken);
    running.or(taken);
    return Positions.of(taken);
  }

  void finished(Positions tasks) {
    BitSet bits = tasks.toBits();
    running.andNot(bits);
    finished.or(bits);
  }

  /** Sets aside tasks that do not run any more, until they are pending again. */
  void setAside(Positions tasks) {
    running.andNot(tasks.toBits());
  }

  /** Makes tasks that do not run any more pending again. */
  void backToPending(Positions tasks) {
    running.andNot(tasks.toBits());
    addPending(tasks.toBits());
  }

  /** The tasks whose results are to be sent now. */
  Positions sendFinished() {
    return moveAll(finished, sending);
  }

  Positions sendLost() {
    return moveAll(lost, sending);
  }

  private static Positions moveAll(BitSet from, BitSet to) {
    Positions moved = Positions.of(from);
    to.or(from);
    from.clear();
    return moved;
  }

  void accepted(Positions tasks) {
    sending.andNot(tasks.toBits());
  }

  /** Returns tasks whose send failed to their previous state. */
  void sendFailed(Positions tasks) {
    BitSet back = tasks.toBits();
    back.and(sending);
    sending.andNot(back);
    BitSet backToLost = (BitSet) back.clone();
    backToLost.and(reportedLost);
    lost.or(backToLost);
    back.andNot(reportedLost);
    finished.or(back);
  }

  /** Makes finished tasks pending again, because their results cannot be delivered. */
  Positions finishedToPending() {
    addPending(finished);
    Positions moved = Positions.of(finished);
    finished.clear();
    return moved;
  }

  /** Removes tasks that are handed to a child from the pending ones. */
  void handOn(Positions share) {
    removePending(share.toBits());
  }

  private void addPending(BitSet tasks) {
    pending.or(tasks);
    pendingCount = COUNT;
  }

  private void removePending(BitSet tasks) {
    pending.andNot(tasks);
    pendingCount = COUNT;
  }

  Positions pending() {
    return Positions.of(pending);
  }

  int pendingCount() {
    if (pendingCount == COUNT) {
      pendingCount = pending.cardinality();
    }
    return pendingCount;
  }

  boolean nothingRuns() {
    return running.isEmpty();
  }

  boolean nothingPending() {
    return pending.isEmpty();
  }

  boolean nothingToSend() {
    return finished.isEmpty() && lost.isEmpty();
  }

  boolean nothingOnItsWay() {
    return nothingToSend() && sending.isEmpty();
  }

  boolean nothingFinished() {
    return finished.isEmpty();
  }

  boolean nothingLost() {
    return lost.isEmpty();
  }

  boolean sendingNothing() {
    return sending.isEmpty();
  }
}
