package io.cloudkon.worker.service;

import java.util.function.IntSupplier;

/**
 * Applies backpressure by counting the bundles or jobs in hand. Far more of them than there are
 * slots only accumulate when results cannot be sent. Thread safe.
 */
final class Backpressure {
  /** The maximum number of bundles in hand beyond the slots; more stay visible to other workers. */
  private static final int MOST_BUNDLES = 500;

  /**
   * The maximum number of jobs in hand beyond the slots; lower because their results are larger.
   */
  private static final int MOST_JOBS = 100;

  private final int most;
  private final int many;
  private final IntSupplier inHand;

  private Backpressure(int slots, int beyond, IntSupplier inHand) {
    this.most = slots + beyond;
    this.many = slots + beyond / 2;
    this.inHand = inHand;
  }

  /** A limit for bundles. */
  static Backpressure ofBundles(int slots, IntSupplier inHand) {
    return new Backpressure(slots, MOST_BUNDLES, inHand);
  }

  /** A limit for HPC jobs. */
  static Backpressure ofJobs(int slots, IntSupplier inHand) {
    return new Backpressure(slots, MOST_JOBS, inHand);
  }

  /** Whether so many are in hand that bundles whose results cannot be sent should not be begun. */
  boolean large() {
    return inHand.getAsInt() > many;
  }

  /** Whether nothing more may be received for now. */
  boolean tooLarge() {
    return inHand.getAsInt() > most;
  }
}
