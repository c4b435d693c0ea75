package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Cuts what a bundle hands on while slots are busy for long: half of what waits, once a second.
 * Whoever takes the child halves it again, so that a bundle spreads over idle workers by doubling,
 * whatever anybody thought that its tasks take. A bundle of n tasks hands on log2(n) + 1 times at
 * most, and its children nest log2(n) deep. A hand-off costs one write of the claim, and the child
 * what any bundle costs. Pure; used by one thread at a time.
 */
final class HandOff {
  /** Between two hand-offs of one bundle, in milliseconds. */
  static final long PAUSE = 1_000;

  private final String bundle;
  private long notBefore = Long.MIN_VALUE;

  HandOff(String bundle) {
    this.bundle = bundle;
  }

  /**
   * Hands on what may go now, if anything; what stays takes its starts back all the same.
   *
   * @param stays tasks that are not to be handed on
   * @return what is wanted of the claim
   */
  List<ClaimEffect> share(
      Positions stays, TaskLedger tasks, Turns turns, BundleClaim claim, Moment now) {
    turns.takeBack();
    int children = claim.childrenRecorded().size();
    Positions share = cut(tasks.pending().minus(stays), children, now);
    tasks.handOn(share);
    return claim.handOn(share, now);
  }

  /**
   * The tasks that a child gets now: the last ones of those that wait, as their turn here is far
   * off.
   *
   * @param waiting what may be handed on
   * @param children how many the bundle has
   * @return none if it is too early, or the bundle may have no more children
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
