package io.cloudkon.core.model;

import java.util.List;

/**
 * Results of some tasks of one bundle, as one attempt of one worker has them. Immutable.
 *
 * @param run the run's id
 * @param epoch the submission's id
 * @param bundle the bundle, or child, that ran them
 * @param worker who ran them
 * @param attempt the claim's attempt; 1 where there is no claim
 * @param nonce of the receive that led to them
 * @param stamps the bundle's own stamps on the worker
 * @param results ascending by ordinal
 * @param calls the worker's API calls since its first bundle of this run
 * @param bundleError not empty: the whole bundle fails with this reason, and results is empty
 * @param stored not empty: results is empty, and the batch with its results lies under this key of
 *     the blob store
 */
public record ResultBatch(
    String run,
    String epoch,
    String bundle,
    WorkerId worker,
    int attempt,
    String nonce,
    BundleStamps stamps,
    List<TaskResult> results,
    List<Calls> calls,
    String bundleError,
    String stored) {

  /** A batch that holds its results itself. */
  public ResultBatch(
      String run,
      String epoch,
      String bundle,
      WorkerId worker,
      int attempt,
      String nonce,
      BundleStamps stamps,
      List<TaskResult> results,
      List<Calls> calls,
      String bundleError) {
    this(run, epoch, bundle, worker, attempt, nonce, stamps, results, calls, bundleError, "");
  }

  /** What is sent instead, once this batch lies in the blob store. */
  public ResultBatch storedUnder(String key) {
    return new ResultBatch(
        run, epoch, bundle, worker, attempt, nonce, stamps, List.of(), calls, "", key);
  }

  /** The same message with other results, in no blob store. */
  public ResultBatch withResults(List<TaskResult> others) {
    return new ResultBatch(
        run, epoch, bundle, worker, attempt, nonce, stamps, others, calls, bundleError);
  }

  /**
   * Who ran a bundle.
   *
   * @param id the worker's id
   * @param slots its slots
   * @param sinceMicros when it started; its clock, epoch microseconds
   * @param type of the instance that it runs on, such as {@code c7i.large}; {@code process} for a
   *     process on a machine that is there anyway; empty if unknown
   * @param lifeCycle {@code on-demand} or {@code spot}; empty if unknown
   * @param shippedFiles the label of its {@link ShippedFiles}; empty if unknown
   */
  public record WorkerId(
      String id, int slots, long sinceMicros, String type, String lifeCycle, String shippedFiles) {
    /** A worker that does not say how it provides shipped files. */
    public WorkerId(String id, int slots, long sinceMicros, String type, String lifeCycle) {
      this(id, slots, sinceMicros, type, lifeCycle, "");
    }

    /** A worker on a machine of which nothing is known. */
    public WorkerId(String id, int slots, long sinceMicros) {
      this(id, slots, sinceMicros, "", "");
    }
  }

  /** A bundle's stamps on the worker; its clock, epoch microseconds. */
  public record BundleStamps(
      long receiveBegun, long received, long claimBegun, long claimed, long replyBegun) {}

  /**
   * Calls of one operation.
   *
   * @param operation service and operation: {@code sqs.SendMessageBatch}
   * @param calls how many were made
   * @param units what is billed: requests of 64 KiB for SQS, capacity units for DynamoDB
   */
  public record Calls(String operation, long calls, double units) {}
}
