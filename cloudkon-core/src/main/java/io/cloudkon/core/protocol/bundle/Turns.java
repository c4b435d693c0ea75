package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Decides which of a bundle's tasks may start next. At-most-once starts only those whose start is
 * recorded; a dangerous bundle starts one at a time, and that one recorded. Pure; used by one
 * thread at a time.
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
   * @param startsAhead how many may be recorded ahead
   */
  Positions atOnce(int startsAhead) {
    if (consistency == Consistency.AT_MOST_ONCE) {
      starts.are(all.first(Math.max(0, startsAhead)));
    }
    return starts.asked();
  }

  /**
   * The claim is this worker's.
   *
   * @param open the tasks that are to run
   */
  void granted(Claim item, Positions open, AttemptSettings attempts) {
    starts.are(item.started());
    if (consistency == Consistency.EXACTLY_ONCE && attempts.oneByOne(item)) {
      runOneByOne(open.common(item.started()));
    }
  }

  /** The starts that are recorded from now on tell of this attempt alone. */
  private void runOneByOne(Positions suspects) {
    oneByOne = true;
    tasks.takeLast(suspects);
    starts.are(Positions.none());
    claim.unstart(suspects);
  }

  /** Whether one starts only after the other. */
  boolean oneByOne() {
    return oneByOne;
  }

  /** Tasks that wait for a slot, and may have one: one by one, the next one only. */
  int waiting() {
    int pending = tasks.pendingCount();
    return oneByOne ? Math.min(pending, tasks.nothingRuns() ? 1 : 0) : pending;
  }

  /**
   * Takes tasks for a slot.
   *
   * @param max at most how many
   * @param startsAhead at-most-once: how many starts may be recorded ahead
   * @param out takes what is wanted of the claim
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
   * The next task of a dangerous bundle: only when everything before it is recorded, and with its
   * own start recorded, so that whoever succeeds a dead worker knows which task it died of.
   */
  private Positions takeNext(Moment now, List<ClaimEffect> out) {
    if (!tasks.nothingRuns() || !tasks.nothingOnItsWay()) {
      return Positions.none();
    }
    Positions next = tasks.next(all);
    out.addAll(claim.start(starts.ask(next), now));
    return tasks.take(1, next.common(claim.startsRecorded()));
  }

  /** Tasks that a slot had did not start, or not come to their end. */
  void interrupted(BundleEvent.Interrupted interrupted) {
    tasks.backToPending(interrupted.notStarted());
    if (consistency == Consistency.AT_MOST_ONCE) {
      // They did start, and nobody will know how they would have ended.
      tasks.lose(interrupted.killed());
    } else {
      tasks.backToPending(interrupted.killed());
    }
  }

  /** What waits is not to start here: its starts are taken back. */
  void takeBack() {
    claim.unstart(tasks.pending());
    starts.takeBack(tasks.pending());
  }
}
