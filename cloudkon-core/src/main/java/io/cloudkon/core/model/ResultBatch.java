package io.cloudkon.core.model;

import java.util.List;

/**
 * Results of some tasks of one bundle, from one attempt of one worker. Immutable.
 *
 * @param run the run's id
 * @param epoch the submission's id
 * @param bundle the bundle, or child, that ran them
 * @param worker the worker that ran them
 * @param attempt the claim's attempt; 1 if there is no claim
 * @param nonce the nonce of the receive that led to them
 * @param stamps the bundle's own stamps on the worker
 * @param results the results in ascending order of ordinal
 * @param calls the worker's API calls since its first bundle of this run
 * @param bundleError if not empty, the whole bundle fails with this reason, and results is empty
 * @param stored if not empty, results is empty, and the batch with its results is stored under this
 *     key of the blob store
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

  /** A batch that contains its results itself. */
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

  /** The message that is sent instead after this batch was stored in the blob store. */
  public ResultBatch storedUnder(String key) {
    return new ResultBatch(
        run, epoch, bundle, worker, attempt, nonce, stamps, List.of(), calls, "", key);
  }

  /** Whether it is a message with which a worker tests whether a queue takes results. */
  public boolean tellsNothing() {
    return results.isEmpty() && bundleError.isEmpty() && stored.isEmpty();
  }

  /** The keys in the blob store of the files that its tasks left for their client. */
  public List<String> fileKeys() {
    return results.stream()
        .map(result -> result.files().key())
        .filter(key -> !key.isEmpty())
        .toList();
  }

  /** The same message with other results, which are not in the blob store. */
  public ResultBatch withResults(List<TaskResult> others) {
    return new ResultBatch(
        run, epoch, bundle, worker, attempt, nonce, stamps, others, calls, bundleError);
  }

  /**
   * The worker that ran a bundle.
   *
   * @param id the worker's id
   * @param slots the number of its slots
   * @param sinceMicros when it started; its clock, epoch microseconds
   * @param type the type of its instance, such as {@code c7i.large}; {@code process} for a process
   *     on a machine that exists anyway; empty if unknown
   * @param lifeCycle {@code on-demand} or {@code spot}; empty if unknown
   * @param shippedFiles the label of its {@link ShippedFiles}; empty if unknown
   */
  public record WorkerId(
      String id, int slots, long sinceMicros, String type, String lifeCycle, String shippedFiles) {
    /** A worker of which it is unknown how it provides shipped files. */
    public WorkerId(String id, int slots, long sinceMicros, String type, String lifeCycle) {
      this(id, slots, sinceMicros, type, lifeCycle, "");
    }

    /** A worker on an unknown machine. */
    public WorkerId(String id, int slots, long sinceMicros) {
      this(id, slots, sinceMicros, "", "");
    }
  }

  /** A bundle's stamps on the worker; its clock, epoch microseconds. */
  public record BundleStamps(
      long receiveBegun, long received, long claimBegun, long claimed, long replyBegun) {}

  /**
   * The calls of one operation.
   *
   * @param operation service and operation, such as {@code sqs.SendMessageBatch}
   * @param calls the number of calls
   * @param units the billed units: requests of 64 KiB for SQS, capacity units for DynamoDB
   */
  public record Calls(String operation, long calls, double units) {}
}
