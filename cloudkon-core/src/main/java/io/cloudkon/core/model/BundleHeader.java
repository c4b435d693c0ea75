package io.cloudkon.core.model;

import java.util.List;

/**
 * The properties that all tasks of a bundle share. Immutable.
 *
 * @param run the run's id
 * @param epoch the submission's id
 * @param bundle the bundle's id, which is the claim's key; see {@link BundleIds}
 * @param responseQueue the queue for the results
 * @param consistency how often its tasks may start
 * @param captureBytes the number of bytes of each output stream that are kept
 * @param submittedMicros when its first task was taken from the workload; client clock, epoch
 *     microseconds
 * @param sendBegunMicros when its send began; client clock, epoch microseconds
 * @param estimatedMicros the client's estimate of its run time on one slot; 0 if unknown
 * @param ships the shipped content in every task's directory, each a tar.gz in the blob store
 * @param claim the scope of one claim, if there are claims
 * @param collect which files its tasks bring back
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
    ClaimScope claim,
    CollectRule collect) {
  public BundleHeader {
    ships = List.copyOf(ships);
  }

  /** The header of a bundle whose tasks bring back no files. */
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
      List<Content> ships,
      ClaimScope claim) {
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
        claim,
        CollectRule.NONE);
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

  /** Whether each task has its own claim. */
  public boolean claimsTasks() {
    return claim.perTask() && consistency.claims();
  }

  /**
   * Whether a worker does one step after the other, as published: it receives when a slot is free
   * and nothing is left of the last receive, and asks for a claim when a slot is free for it.
   */
  public boolean inSequence() {
    return claim == ClaimScope.ONCE;
  }

  /** The rule for the files that a task of the bundle brings back. */
  public CollectRule collect(Task task) {
    List<String> own = task.files().collect();
    return own == null ? collect : collect.of(own);
  }

  /** The same header for tasks that bring back files. */
  public BundleHeader with(CollectRule rule) {
    return new BundleHeader(
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
        claim,
        rule);
  }

  /** The same header with another consistency mode. */
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
        claim,
        collect);
  }

  /** The same header for another bundle: a child, or a part. */
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
        claim,
        collect);
  }
}
