package io.cloudkon.worker.service;

import java.util.function.IntSupplier;

/**
 * Counts the bundles, or jobs, in hand, as backpressure. Far more than there are slots only gather
 * as results cannot leave. Thread safe.
 */
final class Backpressure {
  /** Bundles in hand beyond the slots: more wait where others see them. */
  private static final int MOST_BUNDLES = 500;

  /** Jobs in hand beyond the slots; their results are larger. */
  private static final int MOST_JOBS = 100;

  private final int most;
  private final int many;
  private final IntSupplier inHand;

  private Backpressure(int slots, int beyond, IntSupplier inHand) {
    this.most = slots + beyond;
    this.many = slots + beyond / 2;
    this.inHand = inHand;
  }

  /** Of bundles. */
  static Backpressure ofBundles(int slots, IntSupplier inHand) {
    return new Backpressure(slots, MOST_BUNDLES, inHand);
  }

  /** Of HPC jobs. */
  static Backpressure ofJobs(int slots, IntSupplier inHand) {
    return new Backpressure(slots, MOST_JOBS, inHand);
  }

  /** What cannot leave had better not come. */
  boolean large() {
    return inHand.getAsInt() > many;
  }

  /** Nothing more is to be received for now. */
  boolean tooLarge() {
    return inHand.getAsInt() > most;
  }
}
