package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;

/**
 * Decides where a bundle's tasks are tried again: by another worker, to which they go as a child,
 * or here. Those whose back-off ends within a second share one child, so that a bundle of which
 * much fails does not use up its children. Pure; used by one thread at a time.
 */
final class RetryPlace {
  /** Between two children of tasks that failed, in milliseconds. */
  static final long PAUSE = 1_000;

  private final boolean mayHandOn;
  private boolean wanted;
  private long notBefore = Long.MIN_VALUE;

  /**
   * The place of a bundle's retries: here.
   *
   * @param mayHandOn whether it may have children: it has one claim, and a task may start twice
   */
  RetryPlace(String bundle, boolean mayHandOn) {
    this.mayHandOn = mayHandOn && BundleIds.depth(bundle) < Limits.SPLIT_DEPTH;
  }

  /** Whether another worker is to try them. */
  void elsewhere(boolean other) {
    wanted = other;
  }

  /**
   * Whether they go to another worker.
   *
   * @param children how many the bundle has
   */
  boolean isElsewhere(int children) {
    return mayHandOn && wanted && children < Limits.CHILDREN;
  }

  /** Whether a child of them may be made now. */
  boolean due(Moment now) {
    return now.mono() >= notBefore;
  }

  /** These go now; none is no child. */
  void handedOn(Positions tasks, Moment now) {
    if (!tasks.isEmpty()) {
      notBefore = now.mono() + PAUSE;
    }
  }
}
