package io.cloudkon.core.model;

import java.util.List;

/**
 * What the tasks of one bundle share. Immutable.
 *
 * @param run the run's id
 * @param epoch the submission's id
 * @param bundle the bundle's id, see {@link BundleIds}: the claim's key
 * @param responseQueue the queue that takes the results
 * @param consistency how often its tasks may start
 * @param captureBytes how much of each output stream is kept
 * @param submittedMicros when its first task was taken from the workload; client clock, epoch
 *     microseconds
 * @param sendBegunMicros when its send began; client clock, epoch microseconds
 * @param estimatedMicros the client's estimate of its run time on one slot; 0 if unknown
 * @param ships what lies in every task's directory: each a tar.gz in the blob store
 * @param claim what one claim guards, where there are claims
 */
public record BundleHeader(
    String run,
    String epoch,
    String bundle,
    String responseQueue,
    Consistency consistency,
    int captureBytes,
    long submittedMicros,
    long sendBegunMicros,
    long estimatedMicros,
    List<Content> ships,
    ClaimScope claim) {
  public BundleHeader {
    ships = List.copyOf(ships);
  }

  /** The header of a bundle with one claim. */
  public BundleHeader(
      String run,
      String epoch,
      String bundle,
      String responseQueue,
      Consistency consistency,
      int captureBytes,
      long submittedMicros,
      long sendBegunMicros,
      long estimatedMicros,
      List<Content> ships) {
    this(
        run,
        epoch,
        bundle,
        responseQueue,
        consistency,
        captureBytes,
        submittedMicros,
        sendBegunMicros,
        estimatedMicros,
        ships,
        ClaimScope.BUNDLE);
  }

  /** The header of a bundle with one claim whose tasks need no files. */
  public BundleHeader(
      String run,
      String epoch,
      String bundle,
      String responseQueue,
      Consistency consistency,
      int captureBytes,
      long submittedMicros,
      long sendBegunMicros,
      long estimatedMicros) {
    this(
        run,
        epoch,
        bundle,
        responseQueue,
        consistency,
        captureBytes,
        submittedMicros,
        sendBegunMicros,
        estimatedMicros,
        List.of());
  }

  /** Whether each task has a claim of its own. */
  public boolean claimsTasks() {
    return claim == ClaimScope.TASK && consistency.claims();
  }

  /** The same under another promise. */
  public BundleHeader withConsistency(Consistency other) {
    return new BundleHeader(
        run,
        epoch,
        bundle,
        responseQueue,
        other,
        captureBytes,
        submittedMicros,
        sendBegunMicros,
        estimatedMicros,
        ships,
        claim);
  }

  /** The same for another bundle: a child, or a part. */
  public BundleHeader withBundle(String id) {
    return new BundleHeader(
        run,
        epoch,
        id,
        responseQueue,
        consistency,
        captureBytes,
        submittedMicros,
        sendBegunMicros,
        estimatedMicros,
        ships,
        claim);
  }
}
