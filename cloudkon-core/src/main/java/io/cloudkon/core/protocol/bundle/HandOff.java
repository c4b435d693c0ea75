package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Determines the tasks that a bundle hands on while slots are busy for a long time: half of the
 * waiting ones, once a second. The receiver of a child halves it again, so that a bundle spreads
 * over idle workers by doubling, regardless of the estimated duration of its tasks. A bundle of n
 * tasks hands on at most log2(n) + 1 times, and its children nest log2(n) deep. A hand-off costs
 * one write of the claim plus the cost of the child as a bundle. Pure; used by one thread at a
 * time.
 */
final class HandOff {
  /** The time between two hand-offs of one bundle, in milliseconds. */
  static final long PAUSE = 1_000;

  private final String bundle;
  private long notBefore = Long.MIN_VALUE;

  HandOff(String bundle) {
    this.bundle = bundle;
  }

  /**
   * Hands on the tasks that may go now, if any; the starts of the tasks that stay are taken back in
   * the same write. If the bundle may have no more children, that write has the starts only. During
   * the pause nothing is taken back, because nothing would be written.
   *
   * @param stays the tasks that are not to be handed on
   * @return the effects on the claim
   */
  List<ClaimEffect> share(
      Positions stays, TaskLedger tasks, Turns turns, BundleClaim claim, Moment now) {
    if (now.mono() < notBefore) {
      return List.of();
    }
    boolean starts = turns.takeBack();
    int children = claim.childrenRecorded().size();
    Positions share = cut(tasks.pending().minus(stays), children, now);
    if (share.isEmpty()) {
      return starts ? claim.flush(now) : List.of();
    }
    tasks.handOn(share);
    return claim.handOn(share, now);
  }

  /**
   * The tasks that a child gets now, which are the last of the waiting ones, because they would
   * start latest here.
   *
   * @param waiting the tasks that may be handed on
   * @param children the number of children that the bundle has
   * @return an empty set if it is too early, or the bundle may have no more children
   */
  Positions cut(Positions waiting, int children, Moment now) {
    if (waiting.isEmpty()
        || now.mono() < notBefore
        || BundleIds.depth(bundle) >= Limits.SPLIT_DEPTH
        || children >= Limits.CHILDREN) {
      return Positions.none();
    }
    notBefore = now.mono() + PAUSE;
    return waiting.minus(waiting.first(waiting.size() / 2));
  }
}
