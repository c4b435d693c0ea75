package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Decides which of a bundle's tasks may start next. At-most-once starts only tasks whose start is
 * recorded; a dangerous bundle starts one task at a time, after recording its start. Pure; used by
 * one thread at a time.
 */
final class Turns {
  private final Consistency consistency;
  private final Positions all;
  private final TaskLedger tasks;
  private final BundleClaim claim;
  private final Starts starts = new Starts();
  private boolean oneByOne;

  Turns(Consistency consistency, Positions all, TaskLedger tasks, BundleClaim claim) {
    this.consistency = consistency;
    this.all = all;
    this.tasks = tasks;
    this.claim = claim;
  }

  /**
   * The starts that the acquisition records.
   *
   * @param startsAhead how many may be recorded in advance
   */
  Positions atOnce(int startsAhead) {
    if (consistency == Consistency.AT_MOST_ONCE) {
      starts.are(all.first(Math.max(0, startsAhead)));
    }
    return starts.asked();
  }

  /**
   * Handles the grant of the claim.
   *
   * @param open the tasks that are to run
   */
  void granted(Claim item, Positions open, AttemptSettings attempts) {
    starts.are(item.started());
    if (consistency == Consistency.EXACTLY_ONCE && attempts.oneByOne(item)) {
      runOneByOne(open.common(item.started()));
    }
  }

  /**
   * Switches to running one task at a time: the starts that are recorded from now on refer to this
   * attempt only.
   */
  private void runOneByOne(Positions suspects) {
    oneByOne = true;
    tasks.takeLast(suspects);
    starts.are(Positions.none());
    claim.unstart(suspects);
  }

  /** Whether tasks run one by one. */
  boolean oneByOne() {
    return oneByOne;
  }

  /**
   * The number of tasks that wait for a slot and may start; only the next one if they run one by
   * one.
   */
  int waiting() {
    int pending = tasks.pendingCount();
    return oneByOne ? Math.min(pending, tasks.nothingRuns() ? 1 : 0) : pending;
  }

  /**
   * Takes tasks for a slot.
   *
   * @param max the maximum number of tasks
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   * @param out receives the effects on the claim
   */
  Positions take(int max, int startsAhead, Moment now, List<ClaimEffect> out) {
    if (oneByOne) {
      return takeNext(now, out);
    }
    if (!claim.exists() || consistency != Consistency.AT_MOST_ONCE) {
      return tasks.take(max);
    }
    Positions taken = tasks.take(max, claim.startsRecorded().common(starts.asked()));
    Positions ahead = starts.ahead(tasks.pending(), claim.startsRecorded(), startsAhead);
    out.addAll(claim.start(ahead, now));
    return taken;
  }

  /**
   * The next task of a dangerous bundle, which starts only when everything before it and its own
   * start are recorded, so that the successor of a dead worker knows during which task the worker
   * died.
   */
  private Positions takeNext(Moment now, List<ClaimEffect> out) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return Positions.none();
    }
    Positions next = tasks.next(all);
    out.addAll(claim.start(starts.ask(next), now));
    return tasks.take(1, next.common(claim.startsRecorded()));
  }

  /** Handles tasks of a slot that did not start or did not finish. */
  void interrupted(BundleEvent.Interrupted interrupted) {
    tasks.backToPending(interrupted.notStarted());
    if (consistency == Consistency.AT_MOST_ONCE) {
      // They did start, and their outcome is unknown.
      tasks.lose(interrupted.killed());
    } else {
      tasks.backToPending(interrupted.killed());
    }
  }

  /**
   * Takes back the starts of waiting tasks, which are not to start here; durable with the claim's
   * next write.
   *
   * @return whether there were any
   */
  boolean takeBack() {
    Positions waiting = tasks.pending();
    boolean any = !starts.asked().common(waiting).isEmpty();
    claim.unstart(waiting);
    starts.takeBack(waiting);
    return any;
  }
}
