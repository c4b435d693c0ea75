package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Decides where a bundle's tasks are tried again: on another worker, to which they go as a child,
 * or here. Tasks whose back-off ends within the same second share one child, so that a bundle with
 * many failures does not use up its children. Pure; used by one thread at a time.
 */
final class RetryPlace {
  /** The time between two children of failed tasks, in milliseconds. */
  static final long PAUSE = 1_000;

  private final boolean mayHandOn;
  private boolean wanted;
  private long notBefore = Long.MIN_VALUE;

  /**
   * Retries that happen here at first.
   *
   * @param mayHandOn whether the bundle may have children, because it has one claim and its tasks
   *     may start twice
   */
  RetryPlace(String bundle, boolean mayHandOn) {
    this.mayHandOn = mayHandOn && BundleIds.depth(bundle) < Limits.SPLIT_DEPTH;
  }

  /** Sets whether another worker is to try them. */
  void elsewhere(boolean other) {
    wanted = other;
  }

  /**
   * Hands tasks whose back-off is over to another worker, or makes them pending here.
   *
   * @param mayMove whether the bundle's state permits another worker
   * @return the effects on the claim
   */
  List<ClaimEffect> tryAgain(
      Retries retries, TaskLedger tasks, BundleClaim claim, boolean mayMove, Moment now) {
    if (!mayMove || !isElsewhere(claim.childrenRecorded().size())) {
      tasks.backToPending(retries.due(now));
      return List.of();
    }
    if (!due(now)) {
      return List.of();
    }
    Positions due = retries.due(now);
    handedOn(due, now);
    return claim.handOn(due, now);
  }

  /**
   * Whether they go to another worker.
   *
   * @param children how many the bundle has
   */
  boolean isElsewhere(int children) {
    return mayHandOn && wanted && children < Limits.CHILDREN;
  }

  /** Whether a child may be made now. */
  boolean due(Moment now) {
    return now.mono() >= notBefore;
  }

  /** Records that these tasks were handed on; an empty set means that no child was made. */
  void handedOn(Positions tasks, Moment now) {
    if (!tasks.isEmpty()) {
      notBefore = now.mono() + PAUSE;
    }
  }
}
