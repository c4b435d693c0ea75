package io.cloudkon.worker.service;

import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Applies backpressure by counting the bundles or jobs in hand, and the bytes of their results in
 * memory and on disk; the inputs of tasks that have a result count as well. Far more of them than
 * there are slots only accumulate when results cannot be sent, or not as fast as tasks make them.
 * Thread safe.
 */
final class Backpressure {
  /** The maximum number of bundles in hand beyond the slots; more stay visible to other workers. */
  private static final int MOST_BUNDLES = 500;

  /**
   * The maximum number of jobs in hand beyond the slots; lower because their results are larger.
   */
  private static final int MOST_JOBS = 100;

  /** The share of the heap that results may take while more is received. */
  private static final int HEAP_SHARE = 8;

  /** The share of what is free on the disk that results may take while more is received. */
  private static final int DISK_SHARE = 4;

  private final int most;
  private final int many;
  private final long mostBytes;
  private final LongSupplier freeOnDisk;
  private final Collection<BundleInHand> inHand;

  /**
   * A limit.
   *
   * @param freeOnDisk the bytes that are free where large outputs are kept
   */
  Backpressure(
      int slots,
      int beyond,
      long mostBytes,
      LongSupplier freeOnDisk,
      Collection<BundleInHand> inHand) {
    this.most = slots + beyond;
    this.many = slots + beyond / 2;
    this.mostBytes = mostBytes;
    this.freeOnDisk = freeOnDisk;
    this.inHand = inHand;
  }

  /**
   * A limit for bundles.
   *
   * @param inHand those in hand, as they change; its iterator must allow that
   */
  static Backpressure ofBundles(
      int slots, LongSupplier freeOnDisk, Collection<BundleInHand> inHand) {
    return new Backpressure(slots, MOST_BUNDLES, heapShare(), freeOnDisk, inHand);
  }

  /** A limit for HPC jobs, likewise. */
  static Backpressure ofJobs(int slots, LongSupplier freeOnDisk, Collection<BundleInHand> inHand) {
    return new Backpressure(slots, MOST_JOBS, heapShare(), freeOnDisk, inHand);
  }

  private static long heapShare() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /** Whether results take more than this part of what they may, in memory or on disk. */
  private boolean takeMoreThan(int part) {
    long bytes = 0;
    long onDisk = 0;
    for (BundleInHand each : inHand) {
      bytes += each.heldBytes();
      onDisk += each.spooledBytes();
    }
    return bytes > mostBytes / part
        || (onDisk > 0 && onDisk > (freeOnDisk.getAsLong() + onDisk) / DISK_SHARE / part);
  }

  /** Whether so many are in hand that bundles whose results cannot be sent should not be begun. */
  boolean large() {
    return inHand.size() > many || takeMoreThan(2);
  }

  /** Whether nothing more may be received for now. */
  boolean tooLarge() {
    return inHand.size() > most || takeMoreThan(1);
  }
}
